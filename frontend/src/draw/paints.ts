// Which colours things have: those of their roles, unless something else gives them.

import type { Looks, Paint } from "../model.ts";
import type { Box } from "../scene/types.ts";
import type { Emphasis, StageOptions } from "./types.ts";

export type ThemeName = StageOptions["theme"];

/** The colours of a badge: those of the role that it names ("2 dead ends"), as far as it names one. */
export function badgePaint(badge: string, looks: Looks, theme: ThemeName): Paint {
  if (badge.startsWith("hook")) return looks[theme].hook;
  const singular = badge.endsWith("s") ? badge.slice(0, -1) : badge;
  const found = looks.badges.find(([ending]) => singular.endsWith(ending));
  return found ? looks.roles[found[1]][theme] : looks[theme].badge;
}

export function boxPaint(box: Box, index: number, looks: Looks, theme: ThemeName, emphasis: Emphasis): Paint {
  return emphasis.paints?.[index] ?? looks.roles[box.role][theme];
}

/** One colour for a box that is only a spot: its area's may be as pale as the paper, its outline's alone too strong. */
export function spotColor({ fill, line }: Paint): string {
  const [a, b] = [channels(fill), channels(line)];
  if (a === null || b === null) return line;
  return `#${a
    .map((value, place) =>
      Math.round(value * 0.5 + b[place]! * 0.5)
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`;
}

function channels(color: string): number[] | null {
  if (!/^#[0-9a-f]{6}$/i.test(color)) return null;
  return [1, 3, 5].map((place) => Number.parseInt(color.slice(place, place + 2), 16));
}
