// Where the keys are: the box or frame that was picked last, by its key, so that it outlives a new layout.

import { boxesOf, boxWithKey, groupWithKey } from "../scene/index.ts";
import type { Controller } from "./controller.ts";
import { numbersOf } from "./selection.ts";

export class Cursor {
  readonly #controller: Controller;
  key: string | null = null;

  constructor(controller: Controller) {
    this.#controller = controller;
  }

  /** The box that the keys start from, null where nothing was picked: of a frame, the first box in it. */
  box(): number | null {
    const { scene } = this.#controller.drawing!;
    const own = this.key === null ? -1 : boxWithKey(scene, this.key);
    if (own >= 0) return own;
    const [node] = numbersOf(this.#controller.model, this.#controller.state.selected);
    if (node !== undefined) return this.boxOf(node);
    const group = this.key === null ? -1 : groupWithKey(scene, this.key);
    const inside = scene.boxes.findIndex((box) => box.group === group);
    return group >= 0 && inside >= 0 ? inside : null;
  }

  /** Where the keys begin: at the loss. */
  first(): number | null {
    const { model, drawing } = this.#controller;
    const root = model.graph.roots[0];
    return (root && this.boxOf(root.node)) ?? (drawing!.scene.boxes.length > 0 ? 0 : null);
  }

  boxOf(node: number): number | null {
    const { drawing } = this.#controller;
    return (drawing && boxesOf(drawing.scene, node)[0]) ?? null;
  }

  /** Put it on the box that stands for a node, and bring that into view. */
  show(node: number): void {
    const place = this.boxOf(node);
    if (place === null) return;
    this.key = this.#controller.drawing!.scene.boxes[place]!.key;
    this.#controller.stage.center(place);
  }
}
