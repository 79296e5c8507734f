// What the bar says of a moment of the backward: which node starts and what arrived there, or which hook does what.

import { gradientsOf, gradientWords, turnsAt } from "../backward.ts";
import { leafOf } from "../graph.ts";
import type { Model } from "../model.ts";
import { effectAt, nodeAt, placeAt, replayOf } from "../replay.ts";
import { grouped } from "../wording.ts";
import { nameOf } from "./known.ts";

/** The words of a moment; `hook`: one runs. */
export function momentSentence(model: Model, moment: number): { readonly words: string; readonly hook: boolean } {
  const replay = replayOf(model);
  const { step } = placeAt(replay, moment);
  const place = `${grouped(step!)} of ${grouped(replay.nodes.length)}`;
  const effect = effectAt(replay, moment);
  const end = moment === replay.last ? endWords(model) : "";
  if (effect !== null) {
    const at = effect.node === null ? "" : `at ${placedName(model, effect.node)}, `;
    return { words: `${place}: ${at}${effect.words}${end}`, hook: true };
  }
  const node = moment === 0 ? null : nodeAt(replay, moment);
  if (node === null) return { words: `${place}: nothing has run${end}`, hook: false };
  const said = [placedName(model, node), arrived(model, node), ...turnsAt(model, node).map(({ words }) => words)];
  return { words: `${place}: ${said.filter(Boolean).join(" · ")}${end}`, hook: false };
}

/** "grad 0.408, none", as on its box; "" where it was not recorded. */
function arrived(model: Model, node: number): string {
  const sizes = gradientsOf(model, node).map(gradientWords);
  return sizes.length === 0 ? "" : `grad ${sizes.join(", ")}`;
}

function placedName({ graph }: Model, node: number): string {
  const module = leafOf(graph, node)?.name == null ? graph.module[node] : null; // a leaf's name has it
  return `${nameOf(graph, node)}${module ? ` in ${module}` : ""}`;
}

function endWords({ backward }: Model): string {
  return backward?.error ? ` · then it raised ${backward.error}` : "";
}
