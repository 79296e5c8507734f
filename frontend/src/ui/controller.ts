// Keeps what is shown in step with the state. Everything that a person does ends in `change`, which sets the store; every
// change of the store, whoever made it, comes back here, and only what depends on what changed is worked out again.

import type { Stage } from "../draw/stage.ts";
import type { Drawing } from "../draw/types.ts";
import { emphasize } from "../emphasis.ts";
import type { Model } from "../model.ts";
import { boxesOf } from "../scene/index.ts";
import type { FoldState, State, Store } from "../state.ts";
import { History } from "./history.ts";
import type { Keep, Screen } from "./screen.ts";
import { numbersOf, subjectOf } from "./selection.ts";
import type { Subject } from "./sheet.ts";
import type { ThemeName } from "./theme.ts";

type Camera = ReturnType<Stage["view"]>;

interface Place {
  readonly folds: FoldState;
  readonly selected: readonly string[];
  readonly camera: Camera | null;
}

/** How a change is to be shown: what stays where it is, and what happens once it is on the screen. */
interface Manner {
  readonly keep: Keep;
  readonly after: () => void;
}

const PLAIN: Manner = { keep: { key: null }, after: () => {} };
const SHOWN_BY_EMPHASIS: readonly (keyof State)[] = ["selected", "highlight", "query", "colorBy", "step"];

export class Controller {
  readonly model: Model;
  readonly store: Store;
  readonly stage: Stage;
  readonly screen: Screen;
  theme: ThemeName;
  /** Called whenever a panel may have to say something else. */
  updated: () => void = () => {};
  readonly #history: History<Place>;
  readonly #unsubscribe: () => void;
  #manner: Manner = PLAIN;
  #travelling = false;
  /** The change under way was made in this view, which therefore sees to what is to be brought into view. */
  #own = false;
  /** What was picked that is no node: a frame, an arrow, a ghost, a dead end. */
  #picked: Subject | null = null;
  #subject: Subject = { kind: "graph" };

  constructor(model: Model, store: Store, stage: Stage, screen: Screen, theme: ThemeName) {
    [this.model, this.store, this.stage, this.screen, this.theme] = [model, store, stage, screen, theme];
    this.#history = new History<Place>(this.#place(store.state, null));
    this.#unsubscribe = store.subscribe((state, before) => this.#react(state, before));
  }

  get state(): State {
    return this.store.state;
  }

  get drawing(): Drawing | null {
    return this.screen.drawing;
  }

  get subject(): Subject {
    return this.#subject;
  }

  get canGoBack(): boolean {
    return this.#history.canGoBack;
  }

  get canGoForward(): boolean {
    return this.#history.canGoForward;
  }

  /** Whether the folds that the state asks for are on the stage. */
  get settled(): boolean {
    return this.screen.folds !== null && !differs(this.state.folds, this.screen.folds);
  }

  start(): Promise<void> {
    return this.#show(this.state.folds, { ...PLAIN, keep: "anew" });
  }

  /** Change the state; `after` runs once that is on the screen, at once where nothing has to be laid out. */
  change(change: Partial<State>, manner: Partial<Manner> = {}): void {
    this.#manner = { ...PLAIN, ...manner };
    this.#own = true;
    this.store.set(change);
    this.#own = false;
    this.#finish();
  }

  /** Look at something that is no node, as part of a change or by itself; null: at the whole graph. */
  pick(subject: Subject | null, change: Partial<State> = {}, manner: Partial<Manner> = {}): void {
    this.#picked = subject;
    this.change({ ...change, selected: [] }, manner);
    this.#select();
    this.#emphasize();
    this.updated();
  }

  travel(by: -1 | 1): void {
    const place = this.#history.travel(this.#place(this.state, this.stage.view()), by);
    if (place === null) return;
    const { folds, selected, camera } = place;
    this.#travelling = true;
    this.change({ folds, selected }, { after: () => camera && this.stage.setView(camera) });
    this.#travelling = false;
    this.updated();
  }

  /** The folds go back to those that are shown. */
  cancelLayout(): void {
    this.screen.cancel();
    if (this.screen.folds !== null) this.store.set({ folds: this.screen.folds });
  }

  setTheme(theme: ThemeName): void {
    if (theme === this.theme) return;
    this.theme = theme;
    this.stage.setTheme(theme);
    this.#emphasize();
    this.updated();
  }

  destroy(): void {
    this.#unsubscribe();
    this.updated = () => {};
    this.screen.destroy();
  }

  #react(state: State, before: State): void {
    const folded = differs(state.folds, before.folds);
    const selected = differs(state.selected, before.selected);
    if ((folded || selected) && !this.#travelling) {
      this.#history.visit(this.#place(before, this.stage.view()), this.#place(state, null));
    }
    if (selected && state.selected.length > 0) this.#picked = null;
    if (selected && !this.#own) this.#manner = { ...PLAIN, after: () => this.#bringIn(state.selected) };
    if (folded) this.#refold(state.folds);
    if (SHOWN_BY_EMPHASIS.some((part) => state[part] !== before[part])) {
      if (selected) this.#select();
      this.#emphasize();
    }
    this.updated();
    if (!this.#own) this.#finish();
  }

  /** What was to happen after a change happens now, unless a layout took it along. */
  #finish(): void {
    const { after } = this.#manner;
    this.#manner = PLAIN;
    after();
  }

  /** Show what Python or another view selected. */
  #bringIn(ids: readonly string[]): void {
    const [node] = numbersOf(this.model, ids);
    const box = node === undefined || this.drawing === null ? undefined : boxesOf(this.drawing.scene, node)[0];
    if (box !== undefined) this.stage.center(box);
  }

  #refold(folds: FoldState): void {
    const manner = this.#manner;
    this.#manner = PLAIN;
    if (this.screen.folds !== null && !differs(folds, this.screen.folds)) {
      this.screen.cancel();
      manner.after();
    } else void this.#show(folds, manner);
  }

  async #show(folds: FoldState, { keep, after }: Manner): Promise<void> {
    if (!(await this.screen.show(folds, keep))) return;
    this.#select();
    this.#emphasize();
    this.updated();
    after();
  }

  #place({ folds, selected }: State, camera: Camera | null): Place {
    return { folds, selected, camera };
  }

  #select(): void {
    const scene = this.drawing?.scene;
    if (scene === undefined) return;
    let picked = this.#picked;
    if (picked?.kind === "part") {
      const { item } = picked;
      picked = { ...picked, open: scene.groups.some((group) => group.item === item) };
    }
    this.#subject = picked ?? subjectOf(this.model, scene, this.state.selected);
  }

  #emphasize(): void {
    if (this.drawing === null) return;
    const { scene } = this.drawing;
    const emphasis = emphasize(this.model, scene, this.state, this.theme);
    this.stage.emphasize({ ...emphasis, selected: this.#ringed() ?? emphasis.selected });
  }

  /** Boxes of what is picked but no node: emphasis knows nodes only. */
  #ringed(): Uint8Array | null {
    const [picked, { tree }] = [this.#picked, this.model];
    if (picked === null) return null;
    const isPicked = (item: number): boolean => {
      if (picked.kind === "part") return item === picked.item;
      if (picked.kind === "ghost") return tree.kind[item] === "ghost" && !differs(tree.members[item], picked.leaves);
      return picked.kind === "dead_end" && tree.kind[item] === "dead_end" && tree.members[item]![0] === picked.end;
    };
    return Uint8Array.from(this.drawing!.scene.boxes, ({ item }) => (isPicked(item) ? 1 : 0));
  }
}

export function differs(one: unknown, other: unknown): boolean {
  return one !== other && JSON.stringify(one) !== JSON.stringify(other);
}
