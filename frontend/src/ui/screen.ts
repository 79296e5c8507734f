// From folds to a drawing on the stage: composes the scene, has it laid out, shows it. A newer call ends an older one.

import type { Stage } from "../draw/stage.ts";
import type { Drawing } from "../draw/types.ts";
import { LayoutClient } from "../layout/client.ts";
import { measure } from "../layout/measure.ts";
import type { Model } from "../model.ts";
import { compose } from "../scene/compose.ts";
import { boxesOf, boxWithKey, groupWithKey } from "../scene/index.ts";
import type { Scene } from "../scene/types.ts";
import type { FoldState, State } from "../state.ts";
import { count } from "../wording.ts";
import type { Cover } from "./cover.ts";
import { numbersOf } from "./selection.ts";
import { reasonOf } from "./sentences.ts";
import { isInSight } from "./sight.ts";

/**
 * What stays where it is: what has this key, else what stands for this node, else what is nearest the middle; "anew":
 * nothing, as at first sight.
 */
export type Keep = { readonly key: string | null; readonly node?: number | undefined } | "anew";

/** What is picked, by all that it may be called after another layout. */
export function keepOf(model: Model, { focus, selected }: Pick<State, "focus" | "selected">): Keep {
  return { key: focus, node: numbersOf(model, selected.slice(0, 1))[0] };
}

const PATIENCE = 1000; // ms after which a layout says that it is at work

export class Screen {
  /** What is on the stage, and the folds that it shows; null before the first layout. */
  drawing: Drawing | null = null;
  folds: FoldState | null = null;
  readonly #model: Model;
  readonly #stage: Stage;
  readonly #cover: Cover;
  readonly #client = new LayoutClient();
  #turn = 0;

  constructor(model: Model, stage: Stage, cover: Cover) {
    this.#model = model;
    this.#stage = stage;
    this.#cover = cover;
  }

  /** Whether these folds are shown. Not if a newer call or a cancel came between, or if it failed, which is said. */
  async show(folds: FoldState, keep: Keep): Promise<boolean> {
    const turn = ++this.#turn;
    this.#cover.clear();
    let patience: ReturnType<typeof setTimeout> | undefined;
    try {
      const scene = compose(this.#model, folds);
      const input = measure(scene, this.#stage.letterScale, this.#model.looks);
      const boxes = count(scene.boxes.length, "box", "boxes");
      patience = setTimeout(() => this.#cover.working(`Laying out ${boxes} …`), PATIENCE);
      const layout = await this.#client.layOut(input);
      if (turn !== this.#turn) return false;
      const kept = keep === "anew" ? null : this.#keyIn(scene, keep);
      this.drawing = { model: this.#model, scene, layout, sizes: input.sizes };
      this.folds = folds;
      this.#stage.show(this.drawing, kept);
      if (kept !== null && !this.sees(scene.boxes.keys())) this.#stage.show(this.drawing, null);
      if (this.#model.graph.size === 0) this.#cover.say("This graph is empty: there is nothing to show.");
      return true;
    } catch (error) {
      if (turn === this.#turn && !isAbort(error)) this.#cover.say(`This could not be laid out: ${reasonOf(error)}`);
      return false;
    } finally {
      clearTimeout(patience);
      if (turn === this.#turn) this.#cover.idle();
    }
  }

  /** Whether one of these boxes is on the canvas. */
  sees(boxes: Iterable<number>): boolean {
    const { clientWidth: width, clientHeight: height } = this.#stage.canvas;
    if (this.drawing === null || width === 0 || height === 0) return true; // nobody looks
    return isInSight(this.drawing, this.#stage.view(), { width, height }, boxes);
  }

  /** A key that the scene has and the one before had as well: of what is to be kept, else of what is nearest the middle. */
  #keyIn(scene: Scene, { key, node }: Exclude<Keep, "anew">): string | null {
    const has = (one: string): boolean => boxWithKey(scene, one) >= 0 || groupWithKey(scene, one) >= 0;
    if (this.drawing === null) return key;
    const before = this.drawing.scene;
    const standing = (one: Scene) => (node === undefined ? [] : boxesOf(one, node).map((box) => one.boxes[box]!.key));
    const had = (one: string): boolean => boxWithKey(before, one) >= 0 || groupWithKey(before, one) >= 0;
    const wanted = [...(key === null ? [] : [key]), ...standing(scene), ...standing(before)];
    const known = wanted.find((one) => has(one) && had(one));
    if (known !== undefined) return known;
    const middle = this.#stage.view();
    const places = this.drawing.layout.boxes;
    let [best, least]: [string | null, number] = [null, Number.POSITIVE_INFINITY];
    this.drawing.scene.boxes.forEach((box, place) => {
      const away = Math.hypot(places[2 * place]! - middle.x, places[2 * place + 1]! - middle.y);
      if (away < least && has(box.key)) [best, least] = [box.key, away];
    });
    return best;
  }

  /** Stop a layout under way; what was shown before stays. */
  cancel(): void {
    this.#turn++;
    this.#client.cancel();
    this.#cover.clear();
    if (this.drawing === null) this.#cover.say("The layout was cancelled. “Fold all” shows the smallest picture.");
  }

  destroy(): void {
    this.#turn++;
    this.#client.destroy();
  }
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}
