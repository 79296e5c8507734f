// Makes elements. Texts become text nodes and attributes only: what a user called a module can never become markup.

export type Child = Node | string | null;
type Attributes = Readonly<Record<string, string | number | boolean | null>>;

/** An element; an attribute of true is empty, one of false or null is left out. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** The same for SVG. */
export function makeSvg(tag: string, attributes: Attributes, ...children: Node[]): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  setAttributes(element, attributes);
  element.append(...children);
  return element;
}

/** A button that is named by its text, or by `name` where it only shows a picture. */
export function makeButton(content: Child, press: () => unknown, attributes: Attributes = {}): HTMLButtonElement {
  const button = make("button", { type: "button", ...attributes }, content);
  button.addEventListener("click", press);
  return button;
}

function setAttributes(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false && value !== null) element.setAttribute(name, value === true ? "" : String(value));
  }
}

/** A dotted name that is broken at its dots only (see .name in details.css). */
export function dotted(name: string): HTMLElement {
  const [first, ...others] = name.split(/(?<=\.)/);
  return make("span", { class: "name" }, first ?? "", ...others.flatMap((part) => [make("wbr"), part]));
}
