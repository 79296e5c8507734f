// All that a person can do to the view, whether by mouse, key, menu or panel. Each ends in a change of the state.

import type { Target } from "../draw/types.ts";
import { idOf } from "../graph.ts";
import { closedAll, isOpen, openedAll, revealed, toggled, unrolled } from "../scene/folds.ts";
import type { Arrow } from "../scene/types.ts";
import type { FoldState, Highlight } from "../state.ts";
import type { Controller } from "./controller.ts";
import { Cursor } from "./cursor.ts";
import { nodesOf } from "./describe_part.ts";
import { type Direction, moved, NOTHING } from "./moves.ts";
import type { Keep } from "./screen.ts";
import { idsOfBox, subjectOfNodeless, turned } from "./selection.ts";
import { foldSentence } from "./sentences.ts";
import type { Goal } from "./sheet.ts";

export class Actions {
  readonly #controller: Controller;
  readonly #say: (sentence: string) => void;
  readonly #cursor: Cursor;
  /** What the space bar keeps selected while the arrow keys go on. */
  #kept: readonly string[] = [];
  /** Where a path starts whose other end is picked next. */
  #pathFrom: string | null = null;

  constructor(controller: Controller, say: (sentence: string) => void) {
    [this.#controller, this.#say, this.#cursor] = [controller, say, new Cursor(controller)];
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
      this.#goToBox(end === "source" ? other : source);
    }
  }

  #pickFrame(item: number, on: "title" | "toggle" | "unroll"): void {
    if (on === "toggle") this.toggle(item);
    else if (on === "unroll") this.unroll(item);
    else this.selectFrame(item);
  }

  #pickArrow(arrow: Arrow): void {
    const { boxes } = this.#drawing().scene;
    this.#controller.pick({ kind: "arrow", arrow, source: boxes[arrow.source]!, target: boxes[arrow.target]! });
  }

  /** A double click. */
  activate(target: Target): void {
    const { scene } = this.#drawing();
    if (target.kind === "box" && target.on === "body") this.toggle(scene.boxes[target.index]!.item);
    else if (target.kind === "group" && target.on === "title") this.toggle(scene.groups[target.index]!.item);
  }

  selectBox(index: number, add = false): void {
    const { model, state } = this.#controller;
    const box = this.#drawing().scene.boxes[index]!;
    this.#cursor.key = box.key;
    const ids = idsOfBox(model, box);
    const nodeless = subjectOfNodeless(model, box);
    if (nodeless !== null) this.#controller.pick(nodeless);
    else if (this.#pathFrom !== null) this.#endPath(this.#pathFrom, ids[0]!);
    else this.#controller.change({ selected: add ? turned(state.selected, ids) : ids });
  }

  selectFrame(item: number): void {
    this.#cursor.key = this.#controller.model.tree.key[item]!;
    this.#controller.pick({ kind: "part", item, open: true });
  }

  /** Nothing is selected or highlighted any more. */
  clear(): void {
    [this.#kept, this.#pathFrom] = [[], null];
    this.#controller.pick(null);
    this.#controller.change({ highlight: null });
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
    const { model, state, subject } = this.#controller;
    const folds = toggled(model, state.folds, item);
    if (folds === state.folds) return;
    const opens = isOpen(model, folds, item);
    const words = `${opens ? "Unfolded" : "Folded"} ${model.tree.label[item]}`;
    this.#fold(
      folds,
      { key: model.tree.key[item]! },
      words,
      subject.kind === "part" && subject.item === item ? item : null,
    );
  }

  unroll(item: number): void {
    const { model, state } = this.#controller;
    const folds = unrolled(model, state.folds, item);
    const words = folds[model.tree.key[item]!] === "unrolled" ? "Showing all rounds of" : "Showing one round of";
    this.#fold(folds, { key: model.tree.key[item]! }, `${words} ${model.tree.label[item]}`);
  }

  foldAll(): void {
    this.#fold(closedAll(this.#controller.model), "anew", "Folded all");
  }

  unfoldAll(): void {
    this.#fold(openedAll(this.#controller.model), "anew", "Unfolded all");
  }

  /** Follow a link: what it leads to is unfolded, selected and brought into view. */
  go(goal: Goal): void {
    if (goal.kind === "nodes") this.selectNodes(goal.nodes);
    else this.#revealItem(goal.item);
  }

  selectNodes(nodes: readonly number[]): void {
    const { model, state } = this.#controller;
    const first = nodes[0];
    if (first === undefined) return;
    const folds = nodes.length === 1 ? revealed(model, state.folds, first) : state.folds;
    const selected = nodes.map(idOf);
    this.#controller.change(
      { folds, selected },
      { keep: { key: this.#cursor.key }, after: () => this.#cursor.show(first) },
    );
  }

  highlight(kind: Highlight["kind"]): void {
    const ids = this.#chosen();
    this.#controller.change({ highlight: ids.length === 0 ? null : { kind, ids } });
  }

  /** A path from what is selected: to the other selected node, else to what is picked next. */
  startPath(): void {
    const { selected } = this.#controller.state;
    if (selected.length === 2) this.#controller.change({ highlight: { kind: "between", ids: selected } });
    else {
      this.#pathFrom = this.#chosen()[0] ?? null;
      this.#say("Pick the other end of the path. Esc ends this.");
    }
  }

  /** Move the selection along the arrows, or within the row. */
  move(direction: Direction, add: boolean): void {
    const from = this.#cursor.box();
    const to = from === null ? this.#cursor.first() : moved(this.#drawing(), from, direction);
    if (to === null) this.#say(NOTHING[direction]);
    else {
      this.selectBox(to, add);
      const { selected } = this.#controller.state;
      if (this.#kept.length > 0 && !add)
        this.#controller.change({ selected: [...new Set([...this.#kept, ...selected])] });
      this.#controller.stage.center(to);
    }
  }

  /** Keep what is selected while the arrow keys select more; again: let it go. */
  keep(): void {
    const { selected } = this.#controller.state;
    const keeps = this.#kept.length === 0 || this.#kept.length !== selected.length;
    this.#kept = keeps ? selected : [];
    this.#say(keeps ? `${selected.length} kept selected; arrow keys select more.` : "Arrow keys move the selection.");
  }

  /** Unfold or fold what the keys are at. */
  toggleCursor(): void {
    const { subject } = this.#controller;
    const box = this.#cursor.box();
    if (subject.kind === "part") this.toggle(subject.item);
    else if (box !== null) this.toggle(this.#drawing().scene.boxes[box]!.item);
  }

  /** Bring what is selected into view. */
  showCursor(): void {
    const { drawing, subject, stage } = this.#controller;
    const box = drawing === null || subject.kind === "graph" ? null : this.#cursor.box();
    if (box !== null) stage.center(box);
  }

  /** Bring the box that stands for a node into view. */
  follow(node: number): void {
    const place = this.#cursor.boxOf(node);
    if (place !== null) this.#controller.stage.center(place);
  }

  #goToBox(index: number): void {
    this.selectBox(index);
    this.#controller.stage.center(index);
  }

  #revealItem(item: number): void {
    const { model, state } = this.#controller;
    let folds = state.folds;
    for (let outer = model.tree.parent[item]!; outer >= 0; outer = model.tree.parent[outer]!) {
      if (!isOpen(model, folds, outer)) folds = toggled(model, folds, outer);
    }
    this.#controller.change({ folds }, { keep: { key: this.#cursor.key }, after: () => this.#selectItem(item) });
  }

  #selectItem(item: number): void {
    const { scene } = this.#drawing();
    const place = scene.boxes.findIndex((box) => box.item === item);
    if (place >= 0) this.#goToBox(place);
    else this.selectFrame(item);
  }

  #endPath(from: string, to: string): void {
    this.#pathFrom = null;
    this.#controller.change({ highlight: { kind: "between", ids: [from, to] }, selected: [from, to] });
  }

  /** `part`: what was selected and is still to be, as a frame now or as a box. */
  #fold(folds: FoldState, keep: Keep, words: string, part: number | null = null): void {
    const after = (): void => this.#say(foldSentence(words, this.#drawing().scene.boxes.length));
    if (part === null) this.#controller.change({ folds }, { keep, after });
    else this.#controller.pick({ kind: "part", item: part, open: true }, { folds }, { keep, after });
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
