// "Colour by": a colour for each box, and the legend that says what the colours mean.

import { normsOf } from "../backward.ts";
import { kept } from "../kept.ts";
import type { Model, Paint, ThemeName } from "../model.ts";
import type { Scene } from "../scene/types.ts";
import type { ColorBy } from "../state.ts";
import { count, size } from "../wording.ts";
import { HUES, MIXED, NONE, OTHER, SCALE, type Swatch } from "./palette.ts";
import { bytesOf, type Category, categories, categoryOf, categoryOfItem, type Value } from "./values.ts";

interface Key {
  readonly label: string;
  readonly paint: Paint;
}

interface Coloring {
  /** By box; null: as its role says. */
  readonly paints: readonly (Paint | null)[];
  /** By group: the colour of its frame's outline; null: as its kind says. */
  readonly frames: readonly (string | null)[] | null;
  readonly legend: readonly Key[];
}

const PLAIN = { paints: null, frames: null, legend: [] } as const;

/** What a scene looks like, coloured so; it is kept, for the drawing and the legend ask for the same. */
export function coloring(model: Model, scene: Scene, by: ColorBy, theme: ThemeName): Coloring | typeof PLAIN {
  if (by === "role") return PLAIN;
  const known = colorings(scene);
  const name = `${by} ${theme}` as const;
  known[name] ??= made(model, scene, by, theme);
  return known[name];
}

function made(model: Model, scene: Scene, by: Exclude<ColorBy, "role">, theme: ThemeName): Coloring {
  if (by === "saved") return bySaved(model, scene, theme);
  return by === "gradient" ? byGradient(model, scene, theme) : byCategory(model, scene, by, theme);
}

const colorings = kept((_: Scene): Partial<Record<`${ColorBy} ${ThemeName}`, Coloring>> => ({}));

/** What there is no hue for: more than one, more than there are hues, nothing. */
const OTHERWISE: Readonly<Record<Category, { several: string; others: string; none: string }>> = {
  module: { several: "several modules", others: "other module", none: "in no module" },
  device: { several: "several devices", others: "other device", none: "device not known" },
  dtype: { several: "several dtypes", others: "other dtype", none: "dtype not known" },
};

function byCategory(model: Model, scene: Scene, by: Category, theme: ThemeName): Coloring {
  const { first, others } = categories(model, by, HUES.length);
  const swatches = new Map(first.map((name, place) => [name, HUES[place]!]));
  const swatchOf = (value: Value): Swatch => {
    if (value === null) return NONE;
    return value === "several" ? MIXED : (swatches.get(value.name) ?? OTHER);
  };
  const chosen = scene.boxes.map((box) => (box.kind === "dead_end" ? null : swatchOf(categoryOf(model, by, box))));
  const words = OTHERWISE[by];
  const rows: readonly (readonly [string, Swatch])[] = [
    ...swatches,
    [count(others, words.others), OTHER],
    [words.several, MIXED],
    [words.none, NONE],
  ];
  return {
    paints: chosen.map((swatch) => swatch?.[theme] ?? null),
    frames:
      by === "module"
        ? scene.groups.map(({ item }) => frameLine(swatches, categoryOfItem(model, by, item), theme))
        : null,
    legend: rows.filter(([, one]) => chosen.includes(one)).map(([label, one]) => ({ label, paint: one[theme] })),
  };
}

/** A frame has the outline of the one module that it belongs to. */
function frameLine(swatches: ReadonlyMap<string, Swatch>, value: Value, theme: ThemeName): string | null {
  return value === null || value === "several" ? null : (swatches.get(value.name)?.[theme].line ?? null);
}

/** Amounts on a logarithmic axis between the least and the most that a box of this scene holds. */
function bySaved(model: Model, scene: Scene, theme: ThemeName): Coloring {
  const bytes = scene.boxes.map((box) => bytesOf(model, box));
  const { stops, paintOf } = logarithmic(bytes, theme, (amount) => size(Math.round(amount)));
  return {
    frames: null,
    paints: bytes.map((amount, box) => {
      if (scene.boxes[box]!.kind === "dead_end") return null;
      return amount > 0 ? paintOf(amount) : NONE[theme];
    }),
    legend: [...stops, { label: "nothing saved", paint: NONE[theme] }],
  };
}

/** The largest gradient that arrived in each box, on a logarithmic axis; what is wrong with it goes first. */
function byGradient(model: Model, scene: Scene, theme: ThemeName): Coloring {
  const norms = scene.boxes.map((box) => normsOf(model, box.nodes));
  const most = norms.map((inside) => (inside.length === 0 ? null : Math.max(...inside))); // NaN where one is
  const finite = most.filter((norm) => norm !== null && norm > 0 && norm < Number.POSITIVE_INFINITY);
  const { stops, paintOf } = logarithmic(finite as number[], theme, (norm) => String(Number(norm.toPrecision(2))));
  const signals = model.looks.signals?.[theme];
  const wrong = { zero: signals?.zero ?? NONE[theme], nonfinite: signals?.nonfinite ?? NONE[theme] };
  const paints = most.map((norm) => {
    if (norm === null) return NONE[theme];
    if (norm === 0) return wrong.zero;
    return norm < Number.POSITIVE_INFINITY ? paintOf(norm) : wrong.nonfinite;
  });
  const others = [
    { label: "zero", paint: wrong.zero },
    { label: "not finite", paint: wrong.nonfinite },
    { label: "no gradient, or not recorded", paint: NONE[theme] },
  ];
  return { frames: null, paints, legend: [...stops, ...others.filter(({ paint }) => paints.includes(paint))] };
}

interface Axis {
  /** What each colour stands for; nothing where there is no amount. */
  readonly stops: readonly Key[];
  readonly paintOf: (amount: number) => Paint;
}

/** A colour for each amount above zero, between the least and the most of them. */
function logarithmic(amounts: readonly number[], theme: ThemeName, words: (amount: number) => string): Axis {
  const held = amounts.filter((amount) => amount > 0);
  const [least, most] = held.reduce(
    ([low, high], amount) => [Math.min(low, amount), Math.max(high, amount)],
    [Number.POSITIVE_INFINITY, 0],
  );
  const last = SCALE.length - 1;
  const stop = (amount: number): number => {
    return least === most ? last : Math.round((last * Math.log(amount / least)) / Math.log(most / least));
  };
  const stops = SCALE.map((swatch, place) => {
    return { label: words(least * (most / least) ** (place / last)), paint: swatch[theme] };
  });
  return {
    stops: held.length === 0 ? [] : least === most ? stops.slice(last) : stops,
    paintOf: (amount) => SCALE[stop(amount)]![theme],
  };
}
