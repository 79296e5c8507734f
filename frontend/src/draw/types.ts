// What the stage is told to draw, and what it tells back.

import type { Layout } from "../layout/types.ts";
import type { Looks, Model, Paint, ThemeName } from "../model.ts";
import type { Scene } from "../scene/types.ts";

/** A scene with its places: all that a drawing needs but colours. `sizes` are those that the layout was given. */
export interface Drawing {
  readonly model: Model;
  readonly scene: Scene;
  readonly layout: Layout;
  readonly sizes: Float64Array;
}

/** How the boxes look now, a value for each box or arrow of the scene; null: as their roles say. */
export interface Emphasis {
  /** Instead of the role's colours ("colour by"). */
  readonly paints: readonly (Paint | null)[] | null;
  /** 1: stands back (drawn pale), because something else stands out. */
  readonly dimBoxes: Uint8Array | null;
  readonly dimArrows: Uint8Array | null;
  /** 1: a ring around it. */
  readonly selected: Uint8Array | null;
  /** Found by a search: a mark, also on the minimap. */
  readonly found: Uint8Array | null;
  /** Share of each box that has run in the backward (0 to 1), null while it is not stepped through. */
  readonly progress: Float32Array | null;
  /** The box that runs now, -1 for none. */
  readonly running: number;
  /** While a recorded backward is played: what is to be seen of it. */
  readonly replay: Replaying | null;
  /** The arrow that was picked, -1 for none. */
  readonly arrow: number;
  /** The colour of each frame's outline, null as its kind says; null: all are so. */
  readonly frames: readonly (string | null)[] | null;
}

export interface Replaying {
  readonly moment: number;
  /** For each box, from which moment on its lines, and after them its badges, are true; null: all of them always are. */
  readonly said: readonly (Int32Array | null)[];
  /** What the hook does that runs now, "2 → 6"; null where none does. */
  readonly fires: string | null;
}

/** What lies at a point. `on`: the [+] of a box or [−] of a frame (toggle), "all rounds" of a repeat's frame (unroll). */
export type Target =
  | { readonly kind: "box"; readonly index: number; readonly on: "body" | "toggle" }
  | { readonly kind: "group"; readonly index: number; readonly on: "title" | "toggle" | "unroll" }
  | { readonly kind: "stub"; readonly index: number }
  | { readonly kind: "arrow"; readonly index: number };

export interface StageEvents {
  /** A click or tap; null: on the empty paper. `add`: with Shift, Ctrl or Cmd. */
  pick(target: Target | null, add: boolean): void;
  /** A double click or double tap. */
  activate(target: Target): void;
  /** What lies under the pointer, at client coordinates; null: nothing. */
  hover(target: Target | null, x: number, y: number): void;
  /** A right click or long press. */
  menu(target: Target | null, x: number, y: number): void;
  /** The camera moved (by whatever cause). */
  moved(): void;
}

export interface StageOptions {
  readonly looks: Looks;
  readonly theme: ThemeName;
  /** Whether a wheel without Ctrl zooms: always (a page of its own), or only while the view has the focus (a notebook). */
  readonly wheel: "always" | "focused";
}
