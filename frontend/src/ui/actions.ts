// All that a person can do to the view, whether by mouse, key, menu or panel. Each ends in a change of the state.

import type { Target } from "../draw/types.ts";
import { idOf } from "../graph.ts";
import { closedAll, isOpen, openedAll, revealed, revealedItem, toggled, unrolled } from "../scene/folds.ts";
import { nodesOf } from "../scene/nodes.ts";
import type { Arrow, Scene } from "../scene/types.ts";
import { differs, type FoldState, type Highlight } from "../state.ts";
import type { Controller } from "./controller.ts";
import { keyOfArrow } from "./focus.ts";
import { type Direction, moved, NOTHING } from "./moves.ts";
import { goalOfModule } from "./parts.ts";
import type { Keep } from "./screen.ts";
import { idsOfBox, idsOfItem, MOST_SELECTED, turned } from "./selection.ts";
import { foldSentence, mostSentence, roundsSentence, stillAsOne } from "./sentences.ts";
import type { Goal } from "./sheet.ts";

export class Actions {
  readonly #controller: Controller;
  readonly #say: (sentence: string) => void;
  /** What the space bar keeps selected while the arrow keys go on. */
  #kept: readonly string[] = [];
  /** Where a path starts whose other end is picked next. */
  #pathFrom: string | null = null;

  constructor(controller: Controller, say: (sentence: string) => void) {
    [this.#controller, this.#say] = [controller, say];
  }

  /** A click on the drawing. */
  pick(target: Target | null, add: boolean): void {
    const { scene, layout } = this.#drawing();
    if (target === null) this.clear();
    else if (target.kind === "box") {
      if (target.on === "toggle") this.toggle(scene.boxes[target.index]!.item);
      else this.selectBox(target.index, add);
    } else if (target.kind === "group") this.#pickFrame(scene.groups[target.index]!.item, target.on);
    else if (target.kind === "arrow") this.#pickArrow(scene.arrows[target.index]!);
    else {
      const { arrow, end } = layout.stubs[target.index]!;
      const { source, target: other } = scene.arrows[arrow]!;
      const box = end === "source" ? other : source;
      this.selectBox(box);
      this.#controller.stage.center(box, true);
    }
  }

  #pickFrame(item: number, on: "title" | "toggle" | "unroll"): void {
    if (on === "toggle") this.toggle(item);
    else if (on === "unroll") this.unroll(item);
    else this.selectFrame(item);
  }

  #pickArrow(arrow: Arrow): void {
    this.#controller.change({ selected: [], focus: keyOfArrow(this.#drawing().scene, arrow) });
  }

  /** A double click. */
  activate(target: Target): void {
    const { scene } = this.#drawing();
    if (target.kind === "box" && target.on === "body") this.toggle(scene.boxes[target.index]!.item);
    else if (target.kind === "group" && target.on === "title") this.toggle(scene.groups[target.index]!.item);
  }

  selectBox(index: number, add = false): void {
    const { model } = this.#controller;
    const box = this.#drawing().scene.boxes[index]!;
    const ids = idsOfBox(model, box);
    if (this.#pathFrom !== null && ids.length > 0) this.#endPath(this.#pathFrom, ids[0]!, box.key);
    else if (add && ids.length > 0) this.#turn(ids, box.key);
    else this.#select(ids, box.key);
  }

  selectFrame(item: number): void {
    const { model } = this.#controller;
    this.#select(idsOfItem(model, item), model.tree.key[item]!);
  }

  #turn(ids: readonly string[], focus: string): void {
    const selected = turned(this.#controller.state.selected, ids);
    this.#select(selected, selected.length === 0 ? null : focus);
  }

  #select(selected: readonly string[], focus: string | null): void {
    this.#controller.change({ selected, focus });
  }

  /** Nothing is selected or highlighted any more. */
  clear(): void {
    [this.#kept, this.#pathFrom] = [[], null];
    this.#controller.change({ selected: [], focus: null, highlight: null });
  }

  /** What Escape takes away: first the highlight, then the selection. False where there was neither. */
  escape(): boolean {
    const { state, subject } = this.#controller;
    if (this.#pathFrom !== null) this.#pathFrom = null;
    else if (state.highlight !== null) this.#controller.change({ highlight: null });
    else if (subject.kind !== "graph") this.clear();
    else return false;
    return true;
  }

  toggle(item: number): void {
    const { model, state } = this.#controller;
    const folds = toggled(model, state.folds, item);
    if (folds === state.folds) return;
    const words = `${isOpen(model, folds, item) ? "Unfolded" : "Folded"} ${model.tree.label[item]}`;
    this.#fold(folds, { key: model.tree.key[item]! }, words);
  }

  unroll(item: number): void {
    const { model, state } = this.#controller;
    const folds = unrolled(model, state.folds, item);
    this.#fold(folds, { key: model.tree.key[item]! }, roundsSentence(model, folds, item));
  }

  foldAll(): void {
    this.#fold(closedAll(this.#controller.model), "anew", "Folded all");
  }

  unfoldAll(): void {
    this.#fold(openedAll(this.#controller.model), "anew", "Unfolded all", stillAsOne);
  }

  /** Follow a link: what it leads to is unfolded, selected and brought into view. */
  go(goal: Goal): void {
    const { model, state } = this.#controller;
    if (goal.kind === "nodes") this.selectNodes(goal.nodes);
    else if (goal.kind === "item") this.#revealItem(goal.item);
    else this.go(goalOfModule(model, state.folds, goal.node));
  }

  selectNodes(nodes: readonly number[]): void {
    const { model, state } = this.#controller;
    const first = nodes[0];
    if (first === undefined) return;
    const folds = nodes.length === 1 ? revealed(model, state.folds, first) : state.folds;
    const selected = nodes.slice(0, MOST_SELECTED).map(idOf);
    this.#controller.change({ folds, selected, focus: null }, { after: () => this.follow(first) });
    if (nodes.length > MOST_SELECTED) this.#say(mostSentence(nodes.length));
  }

  /** Highlight this of what the panel is about, or end that. */
  highlight(kind: Highlight["kind"]): void {
    const ids = this.#chosen();
    const none = ids.length === 0 || this.highlights(kind);
    this.#controller.change({ highlight: none ? null : { kind, ids } });
  }

  /** Whether it is this of what the panel is about that stands out. */
  highlights(kind: Highlight["kind"]): boolean {
    const { highlight } = this.#controller.state;
    return highlight?.kind === kind && !differs(highlight.ids, this.#chosen());
  }

  /** A path from what is selected: to the other selected node, else to what is picked next. */
  startPath(): void {
    const { subject, state } = this.#controller;
    const { selected } = state;
    if (subject.kind === "nodes" && selected.length === 2) {
      this.#controller.change({ highlight: { kind: "between", ids: selected } });
      return;
    }
    this.#pathFrom = this.#chosen()[0] ?? null;
    this.#say("Pick the other end of the path. Esc ends this.");
  }

  /** Move the selection along the arrows, or within the row. */
  move(direction: Direction, add: boolean): void {
    const { cursor, model, stage } = this.#controller;
    const to = cursor === null ? this.#first() : moved(this.#drawing(), cursor, direction);
    if (to === null) {
      this.#say(NOTHING[direction]);
      return;
    }
    const box = this.#drawing().scene.boxes[to]!;
    if (this.#kept.length === 0 || add || this.#pathFrom !== null) this.selectBox(to, add);
    else this.#select([...new Set([...this.#kept, ...idsOfBox(model, box)])], box.key);
    stage.center(to);
  }

  /** Where the keys begin: at the loss. */
  #first(): number | null {
    const { model } = this.#controller;
    const root = model.graph.roots[0];
    return (root && this.#controller.boxOf(root.node)) ?? (this.#drawing().scene.boxes.length > 0 ? 0 : null);
  }

  /** Keep what is selected while the arrow keys select more; again: let it go. */
  keep(): void {
    const { selected } = this.#controller.state;
    const keeps = differs(this.#kept, selected);
    this.#kept = keeps ? selected : [];
    this.#say(keeps ? `${selected.length} kept selected; arrow keys select more.` : "Arrow keys move the selection.");
  }

  /** Unfold or fold what the keys are at. */
  toggleCursor(): void {
    const { subject, cursor } = this.#controller;
    if (subject.kind === "part") this.toggle(subject.item);
    else if (cursor !== null) this.toggle(this.#drawing().scene.boxes[cursor]!.item);
  }

  /** Bring what is selected into view; where it is to be `readable`, as large as that takes. */
  showCursor(readable = false): void {
    const { cursor, stage } = this.#controller;
    if (cursor !== null) stage.center(cursor, readable);
  }

  /** Bring the box that stands for a node into view. */
  follow(node: number): void {
    const place = this.#controller.boxOf(node);
    if (place !== null) this.#controller.stage.center(place, true);
  }

  #revealItem(item: number): void {
    const { model, state } = this.#controller;
    const folds = revealedItem(model, state.folds, item);
    this.#controller.change(
      { folds, selected: idsOfItem(model, item), focus: model.tree.key[item]! },
      { after: () => this.showCursor(true) },
    );
  }

  #endPath(from: string, to: string, focus: string): void {
    this.#pathFrom = null;
    this.#controller.change({ highlight: { kind: "between", ids: [from, to] }, selected: [from, to], focus });
  }

  #fold(folds: FoldState, keep: Keep, words: string, still: (scene: Scene) => string[] = () => []): void {
    const after = (): void => {
      const { scene } = this.#drawing();
      this.#say(foldSentence(words, scene, still(scene)));
    };
    this.#controller.change({ folds }, { keep, after });
  }

  /** Ids of what the panel is about, a frame's too. */
  #chosen(): readonly string[] {
    const { model, subject, state } = this.#controller;
    return subject.kind === "part" ? nodesOf(model, subject.item).map(idOf) : state.selected;
  }

  #drawing() {
    return this.#controller.drawing!;
  }
}
