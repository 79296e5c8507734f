// Which colours things have: those of their roles, unless something else gives them.

import { kept } from "../kept.ts";
import type { Looks, Paint, Signal, Theme, ThemeName } from "../model.ts";
import type { Box } from "../scene/types.ts";
import type { Emphasis } from "./types.ts";

/** Nothing stands out. */
export const PLAIN: Emphasis = {
  ...{ paints: null, dimBoxes: null, dimArrows: null, selected: null, found: null, progress: null, running: -1 },
  ...{ replay: null, arrow: -1, frames: null },
};

/** The colours of a badge: those of the role that it names ("2 dead ends"), as far as it names one. */
export function badgePaint(badge: string, looks: Looks, theme: ThemeName): Paint {
  if (badge.startsWith("hook")) return looks[theme].hook;
  const singular = badge.endsWith("s") ? badge.slice(0, -1) : badge;
  const warning = looks.signals?.words.find(([ending]) => singular.endsWith(ending));
  if (warning) return looks.signals![theme][warning[1]];
  const found = looks.badges.find(([ending]) => singular.endsWith(ending));
  return found ? looks.roles[found[1]][theme] : looks[theme].badge;
}

/** What a box warns of by a badge of its own; one that counts what lies inside is none. */
export function signalOf(badges: readonly string[], looks: Looks): Signal | null {
  for (const [words, signal] of looks.signals?.words ?? []) if (badges.includes(words)) return signal;
  return null;
}

/** Whether a box stands back: others are highlighted, or the backward has not come to it. */
export function isPale({ dimBoxes, progress, running }: Emphasis, box: number): boolean {
  return dimBoxes?.[box] === 1 || (progress?.[box] === 0 && box !== running);
}

export function boxPaint(box: Box, index: number, looks: Looks, theme: ThemeName, emphasis: Emphasis): Paint {
  const paint = emphasis.paints?.[index] ?? looks.roles[box.role][theme];
  return isPale(emphasis, index) ? faded(paint, looks[theme]) : paint;
}

/** How much of their colours areas and outlines keep that stand back. */
const FADED = { fill: 0.22, line: 0.4 } as const;
const LEGIBLE = 2.8; // contrast of texts that stand back: calm, but they can still be read

/** What stands back: its area and outline near the paper, and a text that can be told from that area in any case. */
export function faded(paint: Paint, theme: Theme): Paint {
  const known = fadings(theme);
  let found = known.get(paint);
  if (found === undefined) {
    const fill = mixed(theme.paper, paint.fill, FADED.fill);
    found = { fill, line: mixed(theme.paper, paint.line, FADED.line), text: textOn(fill, theme.text) };
    known.set(paint, found);
  }
  return found;
}

const fadings = kept((_: Theme) => new Map<Paint, Paint>());

/** The palest mixture of an area's colour and a text's that can be read upon the area. */
function textOn(fill: string, text: string): string {
  let color = fill;
  for (let share = 0.3; share <= 1 && contrast(fill, color) < LEGIBLE; share += 0.05) color = mixed(fill, text, share);
  return color;
}

/** One colour for a box that is only a spot: its area's may be as pale as the paper, its outline's alone too strong. */
export function spotColor({ fill, line }: Paint): string {
  return mixed(fill, line, 0.5);
}

/** Between two colours (`#rrggbb`, else the second is taken); `share` is the second one's. */
function mixed(one: string, other: string, share: number): string {
  const [a, b] = [channels(one), channels(other)];
  if (a === null || b === null) return other;
  const values = a.map((value, place) => Math.round(value * (1 - share) + b[place]! * share));
  return `#${values.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

/** By WCAG: from 1, alike, to 21, black on white. */
function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = (channels(color) ?? []).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function channels(color: string): number[] | null {
  if (!/^#[0-9a-f]{6}$/i.test(color)) return null;
  return [1, 3, 5].map((place) => Number.parseInt(color.slice(place, place + 2), 16));
}
