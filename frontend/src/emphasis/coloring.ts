// "Colour by": a colour for each box, and the legend that says what the colours mean.

import type { Model, Paint } from "../model.ts";
import type { Scene } from "../scene/types.ts";
import type { ColorBy } from "../state.ts";
import { size } from "../ui/wording.ts";
import { HUES, MIXED, NONE, OTHER, SCALE, type Swatch } from "./palette.ts";
import { bytesOf, type Category, categories, categoryOf, type Value } from "./values.ts";

type ThemeName = "light" | "dark";

interface Key {
  readonly label: string;
  readonly paint: Paint;
}

interface Coloring {
  /** By box; null: as its role says. */
  readonly paints: readonly (Paint | null)[];
  readonly legend: readonly Key[];
}

const PLAIN = { paints: null, legend: [] } as const;

/** What a scene looks like, coloured so; the last one is kept, for the drawing and the legend ask for the same. */
export function coloring(model: Model, scene: Scene, by: ColorBy, theme: ThemeName): Coloring | typeof PLAIN {
  if (by === "role") return PLAIN;
  let known = latest.get(scene);
  if (known?.by !== by || known.theme !== theme) {
    known = {
      by,
      theme,
      coloring: by === "saved" ? bySaved(model, scene, theme) : byCategory(model, scene, by, theme),
    };
    latest.set(scene, known);
  }
  return known.coloring;
}

const latest = new WeakMap<Scene, { readonly by: ColorBy; readonly theme: ThemeName; readonly coloring: Coloring }>();

const NOTHING: Readonly<Record<Category, string>> = {
  module: "in no module",
  device: "device not known",
  dtype: "dtype not known",
};

function byCategory(model: Model, scene: Scene, by: Category, theme: ThemeName): Coloring {
  const swatches = hues(categories(model, by));
  const swatchOf = (value: Value): Swatch => {
    if (value === null) return NONE;
    return value === "several" ? MIXED : (swatches.get(value.name) ?? OTHER);
  };
  const chosen = scene.boxes.map((box) => (box.kind === "dead_end" ? null : swatchOf(categoryOf(model, by, box))));
  const rows: readonly (readonly [string, Swatch])[] = [
    ...swatches,
    ["other", OTHER],
    ["mixed", MIXED],
    [NOTHING[by], NONE],
  ];
  return {
    paints: chosen.map((swatch) => swatch?.[theme] ?? null),
    legend: rows.filter(([, one]) => chosen.includes(one)).map(([label, one]) => ({ label, paint: one[theme] })),
  };
}

/** A hue for each of the first names, in the order of their names: it stays the same whatever is open. */
function hues(names: readonly string[]): Map<string, Swatch> {
  const first = names.slice(0, HUES.length).sort((one, other) => one.localeCompare(other, "en", { numeric: true }));
  return new Map(first.map((name, place) => [name, HUES[place]!]));
}

/** Amounts on a logarithmic axis between the least and the most that a box of this scene holds. */
function bySaved(model: Model, scene: Scene, theme: ThemeName): Coloring {
  const bytes = scene.boxes.map((box) => bytesOf(model, box));
  const held = bytes.filter((amount) => amount > 0);
  const [least, most] = held.reduce(
    ([low, high], amount) => [Math.min(low, amount), Math.max(high, amount)],
    [Number.POSITIVE_INFINITY, 0],
  );
  const last = SCALE.length - 1;
  const stop = (amount: number): number => {
    return least === most ? last : Math.round((last * Math.log(amount / least)) / Math.log(most / least));
  };
  const stops = SCALE.map((swatch, place) => {
    return { label: size(Math.round(least * (most / least) ** (place / last))), paint: swatch[theme] };
  });
  const nothing = { label: "nothing saved", paint: NONE[theme] };
  return {
    paints: bytes.map((amount, box) => {
      if (scene.boxes[box]!.kind === "dead_end") return null;
      return amount > 0 ? SCALE[stop(amount)]![theme] : NONE[theme];
    }),
    legend: held.length === 0 ? [nothing] : [...(least === most ? stops.slice(last) : stops), nothing],
  };
}
