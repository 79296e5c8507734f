// All places of one drawing, worked out once when it is shown: grids, bounds of routes, depths of frames, and (when they
// are first seen) the texts of boxes and frames. Knows nothing of colours or of the camera.

import { BADGE, type BoxText, boxText, FRAME, type FrameText, fitted, frameText, TOGGLE } from "../layout/measure.ts";
import { TITLE_BAR } from "../layout/pane.ts";
import type { Looks } from "../model.ts";
import { boxWithKey, groupWithKey } from "../scene/index.ts";
import type { Route } from "./curve.ts";
import { type Area, Grid } from "./grid.ts";
import { depthBesideTab, type Rect } from "./shapes.ts";
import type { Drawing } from "./types.ts";
import type { Point, Size } from "./viewpoint.ts";

const HEAD = 4; // half the width of the widest arrow head: routes are that much wider than their points

/** Where everything is now: as the layout says, or on the way there. Middles of boxes; left, top, width and height of frames; flat. */
export interface Places {
  readonly boxes: Float64Array;
  readonly frames: Float64Array;
  /** How opaque each box is; null: all are. */
  readonly boxAlpha: Float32Array | null;
  readonly arrowAlpha: number;
}

/** The parts of a frame's title bar. Places are relative to the frame's left and top; `button` is null without one. */
interface Header {
  readonly text: FrameText;
  readonly title: string;
  readonly titleWidth: number;
  readonly toggle: Point;
  readonly timesX: number;
  readonly titleX: number;
  readonly button: Rect | null;
}

export class Plan {
  readonly drawing: Drawing;
  readonly looks: Looks;
  readonly letterScale: number;
  readonly boxes: Grid;
  readonly count: number;
  /** How many frames each frame lies in. */
  readonly depths: Uint16Array;
  /** Points of the routes: the layout's, but an arrow into a box with a tab ends on what it meets of its outline. */
  readonly #points: Float64Array;
  /** Left, top, right and bottom of each route, flat. */
  readonly routeBounds: Float64Array;
  readonly #texts: (BoxText | undefined)[] = [];
  readonly #headers: (Header | undefined)[] = [];

  constructor(drawing: Drawing, looks: Looks, letterScale: number) {
    const { layout, scene, sizes } = drawing;
    this.drawing = drawing;
    this.looks = looks;
    this.letterScale = letterScale;
    this.count = scene.boxes.length;
    this.boxes = new Grid(layout.boxes, sizes, layout.width, layout.height);
    this.depths = new Uint16Array(scene.groups.length);
    scene.groups.forEach(({ parent }, group) => {
      if (parent >= 0) this.depths[group] = this.depths[parent]! + 1;
    });
    this.#points = pointsOnOutlines(drawing, looks);
    this.routeBounds = boundsOfRoutes(this.#points, layout.routeStart);
  }

  get size(): Size {
    return this.drawing.layout;
  }

  text(box: number): BoxText {
    this.#texts[box] ??= boxText(this.drawing.scene.boxes[box]!, this.looks, this.letterScale);
    return this.#texts[box];
  }

  header(group: number): Header {
    this.#headers[group] ??= headerOf(
      frameText(this.drawing.scene.groups[group]!, this.letterScale),
      this.drawing.layout.groups[4 * group + 2]!,
      this.letterScale,
    );
    return this.#headers[group];
  }

  route(index: number): Route {
    const { routeStart } = this.drawing.layout;
    return { points: this.#points, start: routeStart[index]!, stop: routeStart[index + 1]! };
  }

  /** The routes whose bounds touch an area. */
  routesWithin({ left, top, right, bottom }: Area): number[] {
    const bounds = this.routeBounds;
    const found: number[] = [];
    for (let route = 0, at = 0; at < bounds.length; route++, at += 4) {
      if (bounds[at]! <= right && bounds[at + 2]! >= left && bounds[at + 1]! <= bottom && bounds[at + 3]! >= top) {
        found.push(route);
      }
    }
    return found;
  }

  boxArea(box: number): Area {
    const { x, y, w, h } = this.boxRect(box, this.drawing.layout.boxes);
    return { left: x, top: y, right: x + w, bottom: y + h };
  }

  /** Where everything is once it has got there. */
  get resting(): Places {
    const { boxes, groups: frames } = this.drawing.layout;
    return { boxes, frames, boxAlpha: null, arrowAlpha: 1 };
  }

  /** A box where `middles` have it. */
  boxRect(box: number, middles: Float64Array): Rect {
    const { sizes } = this.drawing;
    const [w, h] = [sizes[2 * box]!, sizes[2 * box + 1]!];
    return { x: middles[2 * box]! - w / 2, y: middles[2 * box + 1]! - h / 2, w, h };
  }

  /** The box or frame with a key, where these places have it; null where there is none. */
  placeOf(key: string, { boxes, frames }: Places): Rect | null {
    const { scene } = this.drawing;
    const box = boxWithKey(scene, key);
    if (box >= 0) return this.boxRect(box, boxes);
    const group = groupWithKey(scene, key);
    if (group < 0) return null;
    const [x, y, w, h] = frames.subarray(4 * group) as unknown as [number, number, number, number];
    return { x, y, w, h };
  }

  /** The middle of the upper edge of the box or frame with a key: what stays in place while it opens and closes. */
  anchor(key: string, places: Places): Point | null {
    const place = this.placeOf(key, places);
    return place && { x: place.x + place.w / 2, y: place.y };
  }

  /** Where the gradient starts: the upmost root, or the middle of the upper edge. */
  loss(): Point {
    const { scene, layout } = this.drawing;
    let best = { x: layout.width / 2, y: Infinity };
    scene.boxes.forEach(({ role }, box) => {
      const y = layout.boxes[2 * box + 1]!;
      if (role === "root" && y < best.y) best = { x: layout.boxes[2 * box]!, y };
    });
    return best.y === Infinity ? { x: best.x, y: 0 } : best;
  }
}

function pointsOnOutlines({ layout, scene, sizes }: Drawing, looks: Looks): Float64Array {
  const points = layout.points.slice();
  layout.routeArrow.forEach((arrow, route) => {
    const { target } = scene.arrows[arrow]!;
    const shape = looks.roles[scene.boxes[target]!.role].shape;
    const last = 2 * layout.routeStart[route + 1]! - 2;
    const side = (points[last]! - layout.boxes[2 * target]!) / sizes[2 * target]! + 0.5;
    if (layout.routeHead[route] === 1) points[last + 1]! += depthBesideTab(shape, side);
  });
  return points;
}

function boundsOfRoutes(points: Float64Array, starts: Int32Array): Float64Array {
  const bounds = new Float64Array(4 * Math.max(0, starts.length - 1));
  for (let route = 0; 4 * route < bounds.length; route++) {
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let point = starts[route]!; point < starts[route + 1]!; point++) {
      left = Math.min(left, points[2 * point]!);
      right = Math.max(right, points[2 * point]!);
      top = Math.min(top, points[2 * point + 1]!);
      bottom = Math.max(bottom, points[2 * point + 1]!);
    }
    bounds.set([left - HEAD, top - HEAD, right + HEAD, bottom + HEAD], 4 * route);
  }
  return bounds;
}

/** From the left: [−], "×12", the title as far as it fits; at the right end the button. */
function headerOf(text: FrameText, width: number, letterScale: number): Header {
  const toggle = { x: FRAME.side + TOGGLE / 2 - 2, y: TITLE_BAR / 2 };
  const timesX = FRAME.side + TOGGLE - 2 + FRAME.gap;
  const titleX = timesX + (text.times === "" ? 0 : text.timesWidth + FRAME.gap);
  const h = BADGE.height + 4;
  const button =
    text.button === ""
      ? null
      : { x: width - FRAME.side - text.buttonWidth, y: (TITLE_BAR - h) / 2, w: text.buttonWidth, h };
  const room = (button ? button.x - FRAME.gap : width - FRAME.side) - titleX;
  const fits = text.titleWidth <= room + 1;
  const title = fits ? text.title : fitted(text.title, FRAME.size, room / letterScale, FRAME.bold);
  return { text, title, titleWidth: Math.min(text.titleWidth, Math.max(room, 0)), toggle, timesX, titleX, button };
}
