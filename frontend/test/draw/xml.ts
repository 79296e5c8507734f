// A strict little reader of XML, enough for our SVGs: throws where a browser would show an error instead of the picture.

export interface Element {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: (Element | string)[];
}

const TAG = /^<([a-z]+)((?: [A-Za-z:-]+="[^"<]*")*)(\/?)>/;
const ENTITIES = new Map([
  ["&amp;", "&"],
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&quot;", '"'],
  ["&#39;", "'"],
]);

function plain(text: string): string {
  if (/[^\n\P{Cc}]|\p{Cs}|[\uFFFE\uFFFF]/u.test(text))
    throw new Error(`XML forbids a letter of ${JSON.stringify(text)}`);
  return text.replace(/&[^;&]*;?/g, (entity) => {
    const letter = ENTITIES.get(entity);
    if (letter === undefined) throw new Error(`not an entity: ${entity}`);
    return letter;
  });
}

export function readXml(text: string): Element {
  const top: Element = { name: "", attributes: new Map(), children: [] };
  const open = [top];
  for (let at = 0; at < text.length; ) {
    const inside = open.at(-1)!;
    const rest = text.slice(at);
    const tag = TAG.exec(rest);
    if (tag) {
      const pairs = [...tag[2]!.matchAll(/ ([A-Za-z:-]+)="([^"]*)"/g)].map(
        ([, name, value]) => [name!, plain(value!)] as const,
      );
      const attributes = new Map(pairs);
      if (attributes.size !== pairs.length) throw new Error(`an attribute twice: ${tag[0]}`);
      const element = { name: tag[1]!, attributes, children: [] };
      inside.children.push(element);
      if (tag[3] === "") open.push(element);
      at += tag[0].length;
    } else if (rest.startsWith(`</${inside.name}>`) && open.length > 1) {
      open.pop();
      at += inside.name.length + 3;
    } else {
      const words = /^[^<]+/.exec(rest)?.[0];
      if (words === undefined) throw new Error(`not XML: ${rest.slice(0, 60)}`);
      inside.children.push(plain(words));
      at += words.length;
    }
  }
  if (open.length !== 1 || top.children.filter((child) => typeof child !== "string").length !== 1)
    throw new Error("not one element");
  return top.children.find((child) => typeof child !== "string")!;
}

export function textOf({ children }: Element): string {
  return children.map((child) => (typeof child === "string" ? child : textOf(child))).join("");
}

export function all(element: Element, name: string): Element[] {
  const inside = element.children.flatMap((child) => (typeof child === "string" ? [] : all(child, name)));
  return element.name === name ? [element, ...inside] : inside;
}
