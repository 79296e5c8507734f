// The menu of a right click, of the menu key and of a long press. All in it can also be done in the Details panel.

import type { Target } from "../draw/types.ts";
import { isUnrolled, unrolled } from "../scene/folds.ts";
import { copyAloud, expressionOfBox, nameOfBox } from "./copying.ts";
import { make, makeButton } from "./dom.ts";
import { placeWithin } from "./tooltip.ts";
import type { View } from "./view.ts";
import { actionsOf, WAYS } from "./ways.ts";

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
    if (target?.kind === "box" && !controller.isSelected(target.index)) actions.selectBox(target.index);
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
    const { drawing, stage, subject, cursor } = this.#view.controller;
    const group = drawing!.scene.groups.findIndex(({ item }) => subject.kind === "part" && item === subject.item);
    if (cursor !== null && group < 0) {
      const { x, y } = stage.screenOf(cursor);
      this.open({ kind: "box", index: cursor, on: "body" }, x, y);
      return;
    }
    const { left, top, width, height } = stage.canvas.getBoundingClientRect();
    this.open(group < 0 ? null : { kind: "group", index: group, on: "title" }, left + width / 2, top + height / 2);
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

  /** What the Details panel offers as well, but what the target itself has. */
  #ways(): Choice[] {
    const { model, subject } = this.#view.controller;
    const ways = actionsOf(model, subject).filter((action) => !["fold", "unfold", "rounds"].includes(action));
    return ways.map((action) => [WAYS[action].name, () => WAYS[action].act(this.#view)]);
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
