// Titles of frames from far away: what the parts are, where boxes can no longer be read. As large as on the screen where
// there is room for that, else as high as the frame's title bar, else beside the frame. They never cover a box or each
// other.

import { FRAME, textWidth } from "../layout/measure.ts";
import { TITLE_BAR } from "../layout/pane.ts";
import type { Area } from "./grid.ts";
import type { Plan } from "./plan.ts";
import { overlap, type Rect } from "./shapes.ts";

/** Pixels of the screen. */
const LARGEST = FRAME.size;
const SMALLEST = 7;
const INSET = 3; // from the frame's corner
const LOWEST = 18; // height of a frame with a title
const NAMED = 24; // height of a frame from which on its title may stand beside it
/** Height of a title, and what it is wider than its letters, for each unit of the font's size. */
const HEIGHT = 1.3;
const SIDES = 0.8;

interface Words {
  readonly group: number;
  readonly words: string;
  /** Of the letters, in units of the drawing. */
  readonly size: number;
  readonly width: number;
  readonly rect: Rect;
}

interface OverviewTitle extends Words {
  /** How many frames it lies in. */
  readonly depth: number;
}

/** The titles of frames that lie so (`frames`: left, top, width, height; flat) in an area, outer ones first. */
export function overviewTitles(plan: Plan, frames: Float64Array, area: Area, scale: number): OverviewTitle[] {
  const wishes: Wish[] = [];
  for (let group = 0; 4 * group < frames.length; group++) {
    const [x, y, w, h] = frames.subarray(4 * group) as unknown as [number, number, number, number];
    const outside = x > area.right || y > area.bottom || x + w < area.left || y + h < area.top;
    if (!outside) wishes.push(wishOf(plan, group, { x, y, w, h }, area, scale));
  }
  const bars = wishes.flatMap(({ small }) => small);
  const titles: OverviewTitle[] = [];
  for (const { frame, large, small, beside } of wishes.filter(isWanted)) {
    const title =
      large.find((one) => isClear(plan, one, titles) && isClear(plan, one, bars)) ??
      small.find((one) => isClear(plan, one, titles)) ??
      beside.find((one) => isClear(plan, one, titles) && isBetween(one.rect, frame, wishes));
    if (title !== undefined)
      titles.push({ ...title, depth: wishes.filter((one) => contains(one.frame, title.rect)).length });
  }
  return titles;
}

const isWanted = ({ large, small, beside }: Wish): boolean => large.length + small.length + beside.length > 0;

/** Where a title may be: in letters of full size, the best place first; on its title bar, if it can be read there. */
interface Wish {
  readonly frame: Rect;
  readonly large: readonly Words[];
  readonly small: readonly Words[];
  readonly beside: readonly Words[];
}

function wishOf(plan: Plan, group: number, frame: Rect, area: Area, scale: number): Wish {
  if (frame.h * scale < LOWEST) return { frame, large: [], small: [], beside: [] };
  const { times, title } = plan.header(group).text;
  const inset = INSET / scale;
  const sized = (pixels: number, said: string, x: number, y: number): Words => {
    const words = times === "" ? said : `${times} ${said}`;
    const size = pixels / scale;
    const width = textWidth(words, size, true) * plan.letterScale;
    return { group, words, size, width, rect: { x, y, w: width + SIDES * size, h: HEIGHT * size } };
  };
  const fits = ({ rect }: Words): boolean => rect.w + 2 * inset <= frame.w && rect.h * 2 <= frame.h;
  const [x, y] = [frame.x + inset, frame.y + inset];
  const name = title.split(": ")[0]!; // without the module's class
  const large = [title, name].flatMap((said) => {
    const resting = sized(LARGEST, said, x, y);
    const { w, h } = resting.rect;
    // Stays in view while its frame does, as a heading does.
    const keptX = Math.max(x, Math.min(area.left + inset, frame.x + frame.w - w - inset));
    const keptY = Math.max(y, Math.min(area.top + inset, frame.y + frame.h - h - inset));
    return [sized(LARGEST, said, keptX, keptY), resting].filter(fits);
  });
  const pixels = Math.min(LARGEST, (TITLE_BAR * scale) / HEIGHT);
  const small = pixels < SMALLEST ? [] : [sized(pixels, title, x, frame.y)].filter(fits);
  const beside = sized(LARGEST, title, frame.x + frame.w + inset, frame.y);
  const isSeen = beside.rect.x + beside.rect.w <= area.right;
  return { frame, large, small, beside: isSeen && frame.h * scale >= NAMED ? [beside] : [] };
}

/** Whether what stands beside a frame lies in the same frames as it does, and in no other. */
function isBetween(rect: Rect, frame: Rect, all: readonly Wish[]): boolean {
  return all.every(
    (other) => !overlap(other.frame, rect) || (contains(other.frame, rect) && contains(other.frame, frame)),
  );
}

function contains(outer: Rect, { x, y, w, h }: Rect): boolean {
  return outer.x <= x && outer.y <= y && outer.x + outer.w >= x + w && outer.y + outer.h >= y + h;
}

/** Whether a title covers no box and no title of another frame. */
function isClear({ boxes }: Plan, { group, rect }: Words, others: readonly Words[]): boolean {
  if (others.some((other) => other.group !== group && overlap(other.rect, rect))) return false;
  const { x, y, w, h } = rect;
  return boxes.within({ left: x, top: y, right: x + w, bottom: y + h }).length === 0;
}
