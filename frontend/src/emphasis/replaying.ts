// How far the boxes have run at a moment of the backward, and which of their texts are not true yet.

import type { Replaying } from "../draw/types.ts";
import { kept } from "../kept.ts";
import type { Model } from "../model.ts";
import {
  effectAt,
  momentOf,
  momentOfEffect,
  momentOfNode,
  nodeAt,
  type Place,
  type Replay,
  replayOf,
} from "../replay.ts";
import { boxesOf } from "../scene/index.ts";
import type { Box, Scene } from "../scene/types.ts";

/** Texts of a box that are true once its nodes have started: what arrived there, and what was done with it. */
const ARRIVED = /^(grad |added to \.grad$)/;

interface Progress {
  /** Which share of the nodes of each box has started. */
  readonly progress: Float32Array | null;
  /** The box at which something happens, -1 for none. */
  readonly running: number;
  readonly replay: Replaying | null;
}

const NOT_STEPPED: Progress = { progress: null, running: -1, replay: null };

export function replaying(model: Model, scene: Scene, place: Place): Progress {
  if (place.step === null) return NOT_STEPPED;
  const replay = replayOf(model);
  const moment = momentOf(replay, place);
  const effect = effectAt(replay, moment);
  const node = moment === 0 ? null : nodeAt(replay, moment);
  const [before, after] = [effect?.before ?? [], effect?.after ?? []].map((sizes) =>
    sizes.map((size) => size ?? "none"),
  );
  return {
    progress: progressOf(replay, scene, place.step),
    running: node === null ? -1 : (boxesOf(scene, node)[0] ?? -1),
    replay:
      model.backward === null
        ? null
        : { moment, said: textsOf(model, scene), fires: effect && `${before!.join(", ")} → ${after!.join(", ")}` },
  };
}

function progressOf({ rank }: Replay, { boxes }: Scene, step: number): Float32Array {
  return Float32Array.from(boxes, ({ nodes }) => {
    let run = 0;
    for (const node of nodes) if (rank[node]! > 0 && rank[node]! <= step) run++;
    return nodes.length === 0 ? 0 : run / nodes.length;
  });
}

const texts = kept((_: Scene) => ({ of: null as Replaying["said"] | null }));

/** From which moment on the lines of each box, and after them its badges, are true; null: all of them always are. */
function textsOf(model: Model, scene: Scene): Replaying["said"] {
  const known = texts(scene);
  if (known.of === null) {
    const replay = replayOf(model);
    const hooks = hooksByNode(replay);
    known.of = scene.boxes.map((box) => momentsOf(model, replay, hooks, box));
  }
  return known.of;
}

type Hooks = ReadonlyMap<number, readonly number[]>;

/** The places of the hooks in the replay, by node. */
function hooksByNode({ effects }: Replay): Hooks {
  const found = new Map<number, number[]>();
  effects.forEach(({ node }, place) => {
    if (node !== null) found.set(node, [...(found.get(node) ?? []), place]);
  });
  return found;
}

function momentsOf({ looks }: Model, replay: Replay, hooks: Hooks, box: Box): Int32Array | null {
  if (box.nodes.length === 0) return null;
  let last = 0; // when all nodes of the box have started that do
  for (const node of box.nodes) if (replay.rank[node]! > 0) last = Math.max(last, momentOfNode(replay, node));
  const waiting = box.nodes.flatMap((node) => hooks.get(node) ?? []);
  const signals = (looks.signals?.words ?? []).map(([words]) => words);
  const isSignal = (badge: string): boolean => signals.some((words) => badge.replace(/s$/, "").endsWith(words));
  let after = 0; // a hook's text may go on in the next line
  const lines = box.lines.map((line, place) => {
    if (ARRIVED.test(line)) return last;
    const begins = waiting.findIndex((one) => replay.effects[one]!.words.startsWith(line));
    if (begins >= 0) {
      after = momentOfEffect(replay, waiting.splice(begins, 1)[0]!);
      return after;
    }
    return box.lines[place - 1]?.endsWith(":") ? after : 0;
  });
  const badges = box.badges.map((badge) => {
    if (badge.endsWith("did not run")) return replay.last;
    return isSignal(badge) ? last : 0;
  });
  const all = [...lines, ...badges];
  return all.some((moment) => moment > 0) ? Int32Array.from(all) : null;
}
