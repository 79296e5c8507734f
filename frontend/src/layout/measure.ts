// How large boxes, labels and titles are, from their texts. What is drawn comes from the same place as what is measured:
// `boxText` and `frameText` give the texts, cut where they are too long, with their fonts and places.

import type { Looks, Shape } from "../model.ts";
import type { Arrow, Box, Group, Scene } from "../scene/types.ts";
import { shortened, textWidth } from "./letters.ts";
import type { LayoutInput } from "./types.ts";

export { fitted, shortened, textWidth } from "./letters.ts";

export const FONT = "Helvetica, Arial, sans-serif";
/** Font sizes, and the height of a line of each. */
const TITLE = { size: 12, bold: true, height: 16 } as const;
export const LINE = { size: 10.5, bold: false, height: 13 } as const;
/** A pill: `height` high, its text `side` from both ends, the next one `gap` away. */
export const BADGE = { size: 9, bold: false, height: 14, side: 6, gap: 4, inRow: 3 } as const;
export const LABEL = { size: 9.5, bold: false, height: 12, side: 3 } as const;
export const FRAME = { size: 11, bold: true, button: 9.5, side: 10, gap: 8 } as const;
/** The [+] of a box and [−] of a frame: a square. */
export const TOGGLE = 16;
const PADDING = { x: 10, y: 6 } as const;
export const LEAST = { width: 56, height: 26 } as const;
const MOST_LETTERS = 40;

/** What the outline of a shape takes on each side, besides the padding. */
export const OUTLINE: Readonly<Record<Shape, { left: number; right: number; top: number; bottom: number }>> = {
  round: { left: 0, right: 0, top: 0, bottom: 0 },
  box: { left: 0, right: 0, top: 0, bottom: 0 },
  hexagon: { left: 8, right: 8, top: 0, bottom: 0 },
  component: { left: 8, right: 0, top: 0, bottom: 0 },
  cylinder: { left: 0, right: 0, top: 8, bottom: 3 },
  note: { left: 0, right: 6, top: 0, bottom: 0 },
  cut: { left: 4, right: 4, top: 0, bottom: 0 },
  tab: { left: 0, right: 0, top: 6, bottom: 0 },
  folder: { left: 0, right: 0, top: 6, bottom: 0 },
};

/** A text as it is drawn; `width` as it was measured. */
export interface Lettering {
  readonly text: string;
  readonly size: number;
  readonly bold: boolean;
  readonly width: number;
}

/** Centred at `x`, `y`, counted from the centre of its box. */
interface Text extends Lettering {
  readonly x: number;
  readonly y: number;
}

/** All of a box: `lines` begin with its title; `badges` have the widths of their pills; `toggle` is the [+]'s centre. */
export interface BoxText {
  readonly width: number;
  readonly height: number;
  readonly lines: readonly Text[];
  readonly badges: readonly Text[];
  readonly toggle: { readonly x: number; readonly y: number } | null;
}

interface Font {
  readonly size: number;
  readonly bold: boolean;
}

/** The texts of a box, and how large it has to be for them. */
export function boxText(box: Box, looks: Looks, letterScale = 1): BoxText {
  const shape = OUTLINE[looks.roles[box.role].shape];
  const title = set(box.label, TITLE, letterScale);
  const lines = box.lines.map((line) => set(line, LINE, letterScale));
  const rows = inRows(box.badges.map((badge) => pill(badge, letterScale)));
  const beside = box.opens ? TOGGLE + BADGE.gap : 0;
  const widths = [title.width + beside, ...lines.map((line) => line.width), ...rows.map(rowWidth)];
  const inner = Math.max(...widths, LEAST.width - 2 * PADDING.x);
  const width = Math.ceil(inner + 2 * PADDING.x + shape.left + shape.right);
  const content = TITLE.height + lines.length * LINE.height + rows.length * (BADGE.height + BADGE.gap);
  const height = Math.ceil(Math.max(content + 2 * PADDING.y, LEAST.height) + shape.top + shape.bottom);
  const centre = (shape.left - shape.right) / 2;
  let y = (shape.top - shape.bottom - content) / 2 + TITLE.height / 2;
  const texts: Text[] = [at(title, centre - beside / 2, y)];
  const toggle = box.opens ? { x: centre + inner / 2 + PADDING.x / 2 - TOGGLE / 2, y } : null;
  y += TITLE.height / 2 - LINE.height / 2;
  for (const line of lines) {
    y += LINE.height;
    texts.push(at(line, centre, y));
  }
  return { width, height, lines: texts, badges: placed(rows, centre, y + LINE.height / 2), toggle };
}

/** Written out: spreading an object takes long where there are 100,000 texts. */
function at({ text, size, bold, width }: Lettering, x: number, y: number): Text {
  return { text, size, bold, width, x, y };
}

function set(text: string, font: Font, letterScale: number): Lettering {
  const cut = shortened(text, MOST_LETTERS);
  return { text: cut, size: font.size, bold: font.bold, width: textWidth(cut, font.size, font.bold) * letterScale };
}

function pill(text: string, letterScale: number): Lettering {
  const inside = set(text, BADGE, letterScale);
  return { ...inside, width: inside.width + 2 * BADGE.side };
}

function inRows<T>(badges: readonly T[]): T[][] {
  const rows: T[][] = [];
  for (let start = 0; start < badges.length; start += BADGE.inRow) rows.push(badges.slice(start, start + BADGE.inRow));
  return rows;
}

function rowWidth(row: readonly { width: number }[]): number {
  return row.reduce((sum, { width }) => sum + width + BADGE.gap, -BADGE.gap);
}

function placed(rows: readonly Lettering[][], centre: number, top: number): Text[] {
  return rows.flatMap((row, number) => {
    const y = top + number * (BADGE.height + BADGE.gap) + BADGE.gap + BADGE.height / 2;
    let x = centre - rowWidth(row) / 2;
    return row.map((badge) => {
      x += badge.width + BADGE.gap;
      return at(badge, x - BADGE.gap - badge.width / 2, y);
    });
  });
}

/** What stands on a frame's title bar, from the left: how many rounds, title; at its right end a button and the [−]. */
export interface FrameText {
  readonly times: string;
  readonly timesWidth: number;
  readonly title: string;
  readonly titleWidth: number;
  /** Turns between one round and all of them; "" where there is nothing to turn. */
  readonly button: string;
  readonly buttonWidth: number;
  /** Where the title ends, from the left end of the bar. */
  readonly end: number;
  /** Least width of the title bar. */
  readonly width: number;
}

export function frameText(group: Group, letterScale = 1): FrameText {
  const times = group.times > 1 ? `×${group.times}` : "";
  const title = shortened(group.title, MOST_LETTERS);
  const button = group.kind !== "repeat" ? "" : group.unrolled ? "one round" : "all rounds";
  const timesWidth = textWidth(times, FRAME.size, true) * letterScale;
  const titleWidth = textWidth(title, FRAME.size, true) * letterScale;
  const buttonWidth = button === "" ? 0 : textWidth(button, FRAME.button) * letterScale + 2 * BADGE.side;
  const parts = [timesWidth, titleWidth, buttonWidth, TOGGLE].filter((part) => part > 0);
  const width = Math.ceil(parts.reduce((sum, part) => sum + part + FRAME.gap, 2 * FRAME.side - FRAME.gap));
  const end = Math.ceil(FRAME.side + (timesWidth > 0 ? timesWidth + FRAME.gap : 0) + titleWidth);
  return { times, timesWidth, title, titleWidth, button, buttonWidth, end, width };
}

/** The label of an arrow as it is drawn, in LABEL's font. */
export function arrowText(arrow: Arrow): string {
  return shortened(arrow.label, MOST_LETTERS);
}

/** A scene in the layout's terms. `letterScale`: how much wider the letters are than Helvetica's. */
export function measure(scene: Scene, letterScale: number, looks: Looks): LayoutInput {
  const { boxes, arrows, groups } = scene;
  const sizes = new Float64Array(2 * boxes.length);
  boxes.forEach((box, number) => {
    const { width, height } = boxText(box, looks, letterScale);
    sizes[2 * number] = width;
    sizes[2 * number + 1] = height;
  });
  const titles = groups.map((group) => frameText(group, letterScale));
  return {
    sizes,
    boxGroup: Int32Array.from(boxes, (box) => box.group),
    groupParent: Int32Array.from(groups, (group) => group.parent),
    groupTitle: Float64Array.from(titles, (title) => title.width),
    groupText: Float64Array.from(titles, (title) => title.end),
    arrows: new Int32Array(arrows.flatMap((arrow) => [arrow.source, arrow.target])),
    again: Uint8Array.from(arrows, (arrow) => Number(arrow.again)),
    labels: Float64Array.from(arrows, (arrow) => labelWidth(arrow, letterScale)),
  };
}

function labelWidth(arrow: Arrow, letterScale: number): number {
  if (arrow.label === "") return 0;
  return Math.ceil(textWidth(arrowText(arrow), LABEL.size) * letterScale + 2 * LABEL.side);
}
