// A controller and its actions without a browser: the screen lays out nothing, and shows what it is asked for when told
// to; the stage keeps a record.

import type { Stage } from "../../src/draw/stage.ts";
import type { Drawing, Emphasis } from "../../src/draw/types.ts";
import type { Model } from "../../src/model.ts";
import { compose } from "../../src/scene/compose.ts";
import { boxWithKey, groupWithKey } from "../../src/scene/index.ts";
import { type FoldState, type State, Store } from "../../src/state.ts";
import { Actions } from "../../src/ui/actions.ts";
import { Controller } from "../../src/ui/controller.ts";
import type { Keep, Screen } from "../../src/ui/screen.ts";

type Camera = ReturnType<Stage["view"]>;

class FakeStage {
  camera: Camera = { x: 0, y: 0, scale: 1 };
  emphasis: Emphasis | null = null;
  /** Keys of the boxes that were brought into view. */
  readonly centered: string[] = [];
  readonly #screen: () => FakeScreen;

  constructor(screen: () => FakeScreen) {
    this.#screen = screen;
  }

  view(): Camera {
    return this.camera;
  }
  setView(camera: Camera): void {
    this.camera = camera;
  }
  emphasize(emphasis: Emphasis): void {
    this.emphasis = emphasis;
  }
  center(box: number): void {
    this.centered.push(this.#screen().drawing!.scene.boxes[box]!.key);
  }
}

class FakeScreen {
  drawing: Drawing | null = null;
  folds: FoldState | null = null;
  /** What each layout was to keep in place. */
  readonly asked: Keep[] = [];
  readonly #model: Model;
  #latest: ((done: boolean) => void) | null = null;
  #finish: (() => void) | null = null;

  constructor(model: Model) {
    this.#model = model;
  }

  show(folds: FoldState, keep: Keep): Promise<boolean> {
    this.cancel();
    this.asked.push(keep);
    return new Promise((resolve) => {
      this.#latest = resolve;
      this.#finish = () => {
        const scene = compose(this.#model, folds);
        const places = Float64Array.from({ length: 2 * scene.boxes.length }, (_, place) => place * 10);
        const layout = { boxes: places, stubs: [] } as unknown as Drawing["layout"];
        this.drawing = { model: this.#model, scene, layout, sizes: new Float64Array(places.length).fill(8) };
        this.folds = folds;
        resolve(true);
      };
    });
  }
  /** Keys of all boxes that can be seen; null: all can. */
  inSight: readonly string[] | null = null;
  sees(boxes: Iterable<number>): boolean {
    const { inSight } = this;
    return inSight === null || [...boxes].some((box) => inSight.includes(this.drawing!.scene.boxes[box]!.key));
  }
  cancel(): void {
    this.#latest?.(false);
    this.#latest = this.#finish = null;
  }
  destroy(): void {
    this.cancel();
  }
  /** The layout under way is done. */
  async finish(): Promise<void> {
    this.#finish?.();
    this.#latest = this.#finish = null;
    await new Promise((then) => setImmediate(then));
  }
}

export class Desk {
  readonly store: Store;
  readonly screen: FakeScreen;
  readonly stage: FakeStage;
  readonly controller: Controller;
  readonly actions: Actions;
  readonly said: string[] = [];
  readonly #model: Model;

  constructor(model: Model, state: Partial<State> = {}, store = new Store(state)) {
    this.#model = model;
    this.store = store;
    this.screen = new FakeScreen(model);
    this.stage = new FakeStage(() => this.screen);
    const [stage, screen] = [this.stage as unknown as Stage, this.screen as unknown as Screen];
    this.controller = new Controller(model, this.store, stage, screen, "light");
    this.actions = new Actions(this.controller, (sentence) => this.said.push(sentence));
  }

  /** With its first drawing. */
  static async drawn(model: Model, state: Partial<State> = {}, store?: Store): Promise<Desk> {
    const desk = new Desk(model, state, store);
    desk.controller.start();
    await desk.screen.finish();
    return desk;
  }

  get state(): State {
    return this.store.state;
  }

  item(key: string): number {
    return this.#model.tree.key.indexOf(key);
  }

  box(key: string): number {
    return boxWithKey(this.screen.drawing!.scene, key);
  }

  group(key: string): number {
    return groupWithKey(this.screen.drawing!.scene, key);
  }

  /** Keys of the boxes with a ring. */
  ringed(): string[] {
    const { selected } = this.stage.emphasis!;
    return this.screen.drawing!.scene.boxes.filter((_, box) => selected?.[box] === 1).map(({ key }) => key);
  }
}
