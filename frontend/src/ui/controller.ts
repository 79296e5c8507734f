// Keeps what is shown in step with the state. What a person does ends in `change`, which sets the store; every change of
// the store, whoever made it, comes back to `#react`.

import type { Stage } from "../draw/stage.ts";
import type { Drawing } from "../draw/types.ts";
import type { Viewpoint } from "../draw/viewpoint.ts";
import { emphasize } from "../emphasis.ts";
import type { Model, ThemeName } from "../model.ts";
import { boxesOf } from "../scene/index.ts";
import type { Box, Scene } from "../scene/types.ts";
import { differs, type FoldState, type State, type Store } from "../state.ts";
import { focusedIn } from "./focus.ts";
import { History } from "./history.ts";
import { type Keep, keepOf, type Screen } from "./screen.ts";
import { boxInFocus, subjectOf } from "./selection.ts";
import type { Subject } from "./sheet.ts";
import { openedBoxes } from "./sight.ts";

/** What Back and Forward lead through. */
interface Place extends Pick<State, "folds" | "selected" | "focus" | "highlight"> {
  /** Null before anything was drawn there. */
  readonly camera: Viewpoint | null;
}

/** How a change is to be shown: what stays where it is, and what happens once it is on the screen. */
interface Manner {
  readonly keep?: Keep;
  readonly after?: () => void;
}

const PICKED: readonly (keyof State)[] = ["selected", "focus"];
const SHOWN: readonly (keyof State)[] = ["folds", ...PICKED];
const PLACE: readonly (keyof State)[] = [...SHOWN, "highlight"];
const SHOWN_BY_EMPHASIS: readonly (keyof State)[] = [...PICKED, "highlight", "query", "colorBy", "step", "fired"];

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
  /** What happens once the screen shows the folds of the state: the latest that was asked for. */
  #after: (() => void) | null = null;
  /** The folds that are being laid out. */
  #coming: { readonly folds: FoldState } | null = null;
  #travelling = false;
  /** The change under way was made in this view, which therefore sees to what is to be brought into view. */
  #own = false;
  #subject: Subject = { kind: "graph" };
  #ringed: Uint8Array | null = null;

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

  /** What the panel is about; the same object as long as it is about the same. */
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

  /** The box that the keys are at, null where nothing is picked. */
  get cursor(): number | null {
    return this.drawing && boxInFocus(this.model, this.drawing.scene, this.state);
  }

  /** Whether a box is drawn as selected. */
  isSelected(box: number): boolean {
    return this.#ringed?.[box] === 1;
  }

  /** The box that stands for a node now. */
  boxOf(node: number): number | null {
    return (this.drawing && boxesOf(this.drawing.scene, node)[0]) ?? null;
  }

  start(): void {
    this.#follow("anew");
  }

  /**
   * Change the state. `after` runs once that is on the screen, at once where nothing has to be laid out, and not at all
   * where another change of what is shown or picked came between. What is picked stays where it is, unless `keep` says else.
   */
  change(change: Partial<State>, { keep = keepOf(this.model, this.state), after }: Manner = {}): void {
    if (after !== undefined || SHOWN.some((part) => part in change)) this.#after = after ?? null;
    this.#own = true;
    this.store.set(change);
    this.#own = false;
    if ("folds" in change) this.#follow(keep);
    this.#settle();
  }

  travel(by: -1 | 1): void {
    const place = this.#history.travel(this.#place(this.state, this.#camera()), by);
    if (place === null) return;
    const { camera, ...change } = place;
    this.#travelling = true;
    this.change(change, { after: () => camera && this.stage.setView(camera) });
    this.#travelling = false;
    this.updated();
  }

  /** The folds go back to those that are shown. */
  cancelLayout(): void {
    this.#stop();
    this.#after = null;
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
    const changed = (parts: readonly (keyof State)[]): boolean =>
      parts.some((part) => differs(state[part], before[part]));
    if (changed(PLACE) && !this.#travelling) {
      this.#history.visit(this.#place(before, this.#camera()), this.#place(state, null));
    }
    if (changed(PICKED)) this.#select();
    if (changed(SHOWN_BY_EMPHASIS)) this.#emphasize();
    this.updated();
    if (this.#own) return;
    if (changed(["folds"])) {
      const before = this.drawing?.scene ?? null;
      this.#after = () => (changed(PICKED) ? this.#bringPicked() : this.#bringOpened(before));
      this.#follow(keepOf(this.model, state));
    } else if (changed(PICKED)) this.#after = () => this.#bringPicked();
    this.#settle();
  }

  /** Lay out what the state asks for, unless that is shown or under way. */
  #follow(keep: Keep): void {
    const { folds } = this.state;
    if (this.settled) this.#stop();
    else if (this.#coming === null || differs(folds, this.#coming.folds)) void this.#show(folds, keep);
  }

  #stop(): void {
    if (this.#coming === null) return;
    this.#coming = null;
    this.screen.cancel();
  }

  async #show(folds: FoldState, keep: Keep): Promise<void> {
    const coming = { folds };
    this.#coming = coming;
    const shown = await this.screen.show(folds, keep);
    if (this.#coming === coming) this.#coming = null;
    if (!shown) return;
    this.#select();
    this.#emphasize();
    this.updated();
    this.#settle();
  }

  #settle(): void {
    if (!this.settled) return;
    const after = this.#after;
    this.#after = null;
    after?.();
  }

  /** Show what Python or another view picked. */
  #bringPicked(): void {
    const box = this.cursor;
    if (box !== null) this.stage.center(box, true);
  }

  /** Show what they opened since the scene `before`, where nothing of that can be seen; else what is picked. */
  #bringOpened(before: Scene | null): void {
    const opened = before === null ? [] : openedBoxes(before, this.drawing!.scene);
    const box = opened.length === 0 || this.screen.sees(opened) ? this.cursor : opened[0]!;
    if (box !== null) this.stage.center(box);
  }

  #place({ folds, selected, focus, highlight }: State, camera: Viewpoint | null): Place {
    return { folds, selected, focus, highlight, camera };
  }

  #camera(): Viewpoint | null {
    return this.drawing === null ? null : this.stage.view();
  }

  #select(): void {
    if (this.drawing === null) return;
    const subject = subjectOf(this.model, this.drawing.scene, this.state);
    if (differs(subject, this.#subject)) this.#subject = subject;
  }

  #emphasize(): void {
    if (this.drawing === null) return;
    const { scene } = this.drawing;
    const { kind } = this.#subject;
    const emphasis = emphasize(this.model, scene, this.state, this.theme);
    const arrow = kind === "arrow" ? focusedIn(scene, this.state.focus)!.index : -1;
    const byNodes = kind === "graph" || kind === "node" || kind === "nodes";
    const selected = byNodes ? emphasis.selected : this.#ring(scene);
    this.#ringed = selected;
    this.stage.emphasize({ ...emphasis, selected, arrow });
  }

  /** Around the one box that is picked: others may hold the same nodes, and those of leaves without gradient hold none. */
  #ring({ boxes }: Scene): Uint8Array {
    const { focus } = this.state;
    const subject = this.#subject;
    const isPicked = ({ item, key }: Box): boolean => (subject.kind === "part" ? item === subject.item : key === focus);
    return Uint8Array.from(boxes, (box) => (isPicked(box) ? 1 : 0));
  }
}
