// The menu of a right click, of the menu key and of a long press. All in it can also be done in the Details panel.

import type { Target } from "../draw/types.ts";
import { idOf } from "../graph.ts";
import { isUnrolled, unrolled } from "../scene/folds.ts";
import { copyAloud, expressionOfBox, nameOfBox } from "./copying.ts";
import { make, makeButton } from "./dom.ts";
import { placeWithin } from "./tooltip.ts";
import type { View } from "./view.ts";

type Choice = readonly [string, () => unknown];

export class Menu {
  readonly element = make("div", { class: "menu", role: "menu", "aria-label": "Menu", hidden: true });
  readonly #view: View;

  constructor(view: View) {
    this.#view = view;
    this.element.addEventListener("keydown", (event) => this.#press(event));
    const away = (event: Event): void => {
      if (!event.composedPath().includes(this.element)) this.element.hidden = true;
    };
    document.addEventListener("pointerdown", away, { signal: view.signal });
  }

  /** Open it for what lies at a point of the window; that is selected, so that one sees what is spoken of. */
  open(target: Target | null, x: number, y: number): void {
    const { actions, controller } = this.#view;
    if (target?.kind === "box" && !this.#isSelected(target.index)) actions.selectBox(target.index);
    if (target?.kind === "group") actions.selectFrame(controller.drawing!.scene.groups[target.index]!.item);
    const choices = target === null ? this.#choicesOfAll() : this.#choices(target);
    if (choices.length === 0) return;
    this.element.replaceChildren(...choices.map(([name, act]) => this.#item(name, act)));
    this.element.hidden = false;
    placeWithin(this.element, x, y, 2);
    (this.element.firstElementChild as HTMLElement).focus({ preventScroll: true });
  }

  /** Open it for what is selected, where that is drawn. */
  openForSelection(): void {
    const { drawing, stage, subject, state } = this.#view.controller;
    const { boxes, groups } = drawing!.scene;
    const box = boxes.findIndex(({ nodes }) => nodes.some((node) => idOf(node) === state.selected[0]));
    const group = groups.findIndex(({ item }) => subject.kind === "part" && item === subject.item);
    const { left, top, width, height } = stage.canvas.getBoundingClientRect();
    if (box >= 0) {
      const { x, y } = stage.screenOf(box);
      this.open({ kind: "box", index: box, on: "body" }, x, y);
    } else
      this.open(group < 0 ? null : { kind: "group", index: group, on: "title" }, left + width / 2, top + height / 2);
  }

  #isSelected(index: number): boolean {
    const { drawing, state } = this.#view.controller;
    return drawing!.scene.boxes[index]!.nodes.some((node) => state.selected.includes(idOf(node)));
  }

  #item(name: string, act: () => unknown): HTMLElement {
    const choose = (): void => {
      this.#close();
      act();
    };
    return makeButton(name, choose, { role: "menuitem", tabindex: -1 });
  }

  #close(): void {
    this.element.hidden = true;
    this.#view.controller.stage.canvas.focus({ preventScroll: true });
  }

  #choicesOfAll(): Choice[] {
    const { actions, controller } = this.#view;
    return [
      ["Fit", () => controller.stage.fit()],
      ["Fold all", () => actions.foldAll()],
      ["Unfold all", () => actions.unfoldAll()],
    ];
  }

  #choices(target: Target): Choice[] {
    const { actions, controller } = this.#view;
    const { scene } = controller.drawing!;
    if (target.kind === "group") {
      const { item, title } = scene.groups[target.index]!;
      return [
        ["Fold", () => actions.toggle(item)],
        ...this.#rounds(item),
        ...this.#ways(),
        ["Copy name", () => copyAloud(title, this.#view)],
      ];
    }
    if (target.kind !== "box") return [];
    const box = scene.boxes[target.index]!;
    const choices: Choice[] = box.opens ? [["Unfold", () => actions.toggle(box.item)], ...this.#rounds(box.item)] : [];
    if (box.nodes.length > 0) choices.push(...this.#ways());
    choices.push(["Copy name", () => copyAloud(nameOfBox(controller.model, box), this.#view)]);
    const python = expressionOfBox(controller.model, box);
    if (python !== null) choices.push(["Copy expression", () => copyAloud(python, this.#view)]);
    return choices;
  }

  #rounds(item: number): Choice[] {
    const { actions, controller } = this.#view;
    const { model, state } = controller;
    if (unrolled(model, state.folds, item) === state.folds) return [];
    return [[isUnrolled(model, state.folds, item) ? "One round" : "All rounds", () => actions.unroll(item)]];
  }

  #ways(): Choice[] {
    const { actions, controller } = this.#view;
    const leaf = controller.subject.kind === "node" && controller.model.graph.kind[controller.subject.node] === "leaf";
    const path: Choice = ["Path to…", () => actions.startPath()];
    if (leaf) return [["All paths to the loss", () => actions.highlight("upstream")], path];
    return [
      ["Upstream", () => actions.highlight("upstream")],
      ["Downstream", () => actions.highlight("downstream")],
      ["All paths through", () => actions.highlight("both")],
      path,
    ];
  }

  #press(event: KeyboardEvent): void {
    const items = [...this.element.children] as HTMLElement[];
    const at = items.indexOf(event.target as HTMLElement);
    if (event.key === "Escape" || event.key === "Tab") this.#close();
    else if (event.key === "ArrowDown") items[(at + 1) % items.length]?.focus();
    else if (event.key === "ArrowUp") items.at(at - 1)?.focus();
    else return;
    event.preventDefault();
  }
}
