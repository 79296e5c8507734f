// What the layout takes and gives: plain numbers, so that both can be posted to a worker. Units are those of the drawing
// (CSS pixels at scale 1), y grows downwards, and the gradient flows down.

export interface LayoutInput {
  /** Width and height of each box, flat: w0, h0, w1, h1, … */
  readonly sizes: Float64Array;
  /** The group of each box, -1 for the top. */
  readonly boxGroup: Int32Array;
  /** The parent of each group (parents first), -1 for the top, and the least width that its title takes. */
  readonly groupParent: Int32Array;
  readonly groupTitle: Float64Array;
  /** How far the text of each title reaches from the left end of its bar; lines enter right of it where they can. */
  readonly groupText: Float64Array;
  /** Source and target box of each arrow, flat; `again` ones (1) run against the flow and are always drawn as stubs. */
  readonly arrows: Int32Array;
  readonly again: Uint8Array;
  /** Room for the label of each arrow, 0 where it has none. */
  readonly labels: Float64Array;
}

/** Where a long arrow is cut: a pill at `x`, `y` (its centre) near one end, which names the box at the other end. */
export interface Stub {
  readonly arrow: number;
  readonly end: "source" | "target";
  readonly x: number;
  readonly y: number;
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  /** Centre of each box, flat: x0, y0, x1, y1, … */
  readonly boxes: Float64Array;
  /** Left, top, width and height of each group's frame, flat. */
  readonly groups: Float64Array;
  /**
   * All points of all routes, flat: x, y. Between two consecutive points the curve is the cubic with vertical tangents
   * (its control points at half the difference in y), or a straight line where x is equal; drawn by `draw/curve.ts`.
   */
  readonly points: Float64Array;
  /** Where each route starts in `points` (counted in points), one more entry for the end. A stubbed arrow has two. */
  readonly routeStart: Int32Array;
  /** The arrow of each route, and whether it ends in an arrow head (that at a source's stub does not). */
  readonly routeArrow: Int32Array;
  readonly routeHead: Uint8Array;
  /** Where each arrow's label is centred, flat; NaN where it has none. */
  readonly labels: Float64Array;
  readonly stubs: readonly Stub[];
  /** How often lines cross; what several arrows share counts as one line. */
  readonly crossings: number;
}

export const STUB = { width: 96, height: 18 } as const;
