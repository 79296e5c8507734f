// What keys do with parts: go into one, fold the one around, show all rounds. The keys never lose their place by it.

import { toggled, unrolled } from "../scene/folds.ts";
import { boxWithKey, firstInside, groupWithKey } from "../scene/index.ts";
import type { FoldState, State } from "../state.ts";
import type { Actions } from "./actions.ts";
import type { Controller } from "./controller.ts";
import { idsOfItem } from "./selection.ts";
import { foldSentence, roundsSentence, selectionSentence } from "./sentences.ts";

export class Diving {
  readonly #controller: Controller;
  readonly #actions: Actions;
  readonly #say: (sentence: string) => void;

  constructor(controller: Controller, actions: Actions, say: (sentence: string) => void) {
    [this.#controller, this.#actions, this.#say] = [controller, actions, say];
  }

  /** Unfold the closed box that the keys are at, and go to the first one inside; fold the frame that is picked. */
  enter(): void {
    const { subject, cursor } = this.#controller;
    if (subject.kind === "part" && subject.open) this.foldAround();
    else if (cursor !== null) this.#open(this.#scene().boxes[cursor]!.item);
  }

  #open(item: number): void {
    const { model, state } = this.#controller;
    const folds = toggled(model, state.folds, item);
    if (folds === state.folds) {
      this.#say("There is nothing to unfold in it.");
      return;
    }
    const key = model.tree.key[item]!;
    const goInside = (): number | null => {
      const first = firstInside(this.#scene(), groupWithKey(this.#scene(), key));
      if (first !== null) this.#actions.selectBox(first);
      return first;
    };
    this.#change({ folds }, key, `Unfolded ${model.tree.label[item]}`, goInside);
  }

  /** Fold the frame that is picked, or the one around the box that the keys are at, and go to the closed box. */
  foldAround(): void {
    const { subject, cursor, model, state } = this.#controller;
    const { boxes, groups } = this.#scene();
    const group = cursor === null ? undefined : groups[boxes[cursor]!.group];
    const item = subject.kind === "part" && subject.open ? subject.item : group?.item;
    if (item === undefined) {
      this.#say("There is no frame around it.");
      return;
    }
    const [folds, key] = [toggled(model, state.folds, item), model.tree.key[item]!];
    const change = { folds, selected: idsOfItem(model, item), focus: key };
    this.#change(change, key, `Folded ${model.tree.label[item]}`, () => boxWithKey(this.#scene(), key));
  }

  /** Show all rounds of the repeat that the keys are at or in, or one for all again. */
  turnRounds(): void {
    const { model, state } = this.#controller;
    const item = this.#repeat();
    const folds = item === null ? state.folds : unrolled(model, state.folds, item);
    if (item === null || folds === state.folds) {
      this.#say("There is no repeat here.");
      return;
    }
    const key = model.tree.key[item]!;
    this.#change({ folds }, key, roundsSentence(model, folds, item), () => this.#controller.cursor);
  }

  #repeat(): number | null {
    const { subject, cursor, model } = this.#controller;
    const isRepeat = (item: number): boolean => model.tree.kind[item] === "repeat";
    if (subject.kind === "part" && isRepeat(subject.item)) return subject.item;
    if (cursor === null) return null;
    const { boxes, groups } = this.#scene();
    const box = boxes[cursor]!;
    if (isRepeat(box.item)) return box.item;
    for (let group = groups[box.group]; group !== undefined; group = groups[group.parent]) {
      if (isRepeat(group.item)) return group.item;
    }
    return null;
  }

  /** `go` tells the box where the keys are afterwards. */
  #change(change: Partial<State> & { folds: FoldState }, key: string, words: string, go: () => number | null): void {
    const after = (): void => {
      const box = go();
      if (box !== null && box >= 0) this.#controller.stage.center(box);
      const { model, subject } = this.#controller;
      this.#say(`${foldSentence(words, this.#scene())} ${selectionSentence(model, subject)}`.trim());
    };
    this.#controller.change(change, { keep: { key }, after });
  }

  #scene() {
    return this.#controller.drawing!.scene;
  }
}
