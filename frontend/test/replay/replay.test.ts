import assert from "node:assert/strict";
import test from "node:test";
import {
  effectAt,
  momentOf,
  momentOfEffect,
  momentOfNode,
  nodeAt,
  placeAt,
  type Replay,
  replayOf,
} from "../../src/replay.ts";
import { momentSentence } from "../../src/ui/replay_words.ts";
import { effect, recorded } from "../backward.ts";
import { golden } from "../golden.ts";
import { graphOf, modelOf } from "../models.ts";

const GRAPH = graphOf(["A", "B", "C", "D"], [], { order: Int32Array.of(0, 2, 1, 3) });
const TRACED = modelOf(GRAPH, [0, 1, 2, 3]);
// B does not run; a hook before all, two after the first node, one after the last
const EFFECTS = [effect(0, 0, "first"), effect(2, 1, "a"), effect(2, 1, "b"), effect(null, 3, "module")];
const WATCHED = { ...TRACED, backward: recorded({ nodes: [0, 2, 3], effects: EFFECTS }) };

/** What happens at each moment: the name of a node or of a hook. */
function told(replay: Replay): string[] {
  return Array.from({ length: replay.last + 1 }, (_, moment) => {
    const ran = effectAt(replay, moment);
    if (ran !== null) return ran.hook.name;
    const node = nodeAt(replay, moment);
    return moment === 0 || node === null ? "" : GRAPH.op[node]!;
  });
}

test("a traced graph is played in the order in which the engine will run it", () => {
  assert.deepEqual(told(replayOf(TRACED)), ["", "A", "C", "B", "D"]);
});

test("a watched one is played as it ran, hooks where they ran", () => {
  assert.deepEqual(told(replayOf(WATCHED)), ["", "first", "A", "a", "b", "C", "D", "module"]);
});

test("every moment has a place in the state, and is found again from it", () => {
  const replay = replayOf(WATCHED);
  const places = Array.from({ length: replay.last + 1 }, (_, moment) => placeAt(replay, moment));
  assert.deepEqual(
    places.map(({ step, fired }) => [step, fired]),
    [
      [0, 0],
      [0, null],
      [1, 0],
      [1, 1],
      [1, null],
      [2, null],
      [3, 0],
      [3, null],
    ],
  );
  assert.deepEqual(
    places.map((place) => momentOf(replay, place)),
    [0, 1, 2, 3, 4, 5, 6, 7],
  );
});

test("what a state says beyond the backward is taken for its ends", () => {
  const replay = replayOf(WATCHED);
  assert.equal(momentOf(replay, { step: 99, fired: null }), 7);
  assert.equal(momentOf(replay, { step: 1, fired: 99 }), 4);
  assert.equal(momentOf(replay, { step: -1, fired: -1 }), 0);
  assert.deepEqual(placeAt(replay, 99), { step: 3, fired: null });
  assert.deepEqual(placeAt(replay, -5), { step: 0, fired: 0 });
});

test("hooks that say an impossible time run at the ends, and the others in between", () => {
  const effects = [effect(0, 99, "late"), effect(0, -3, "early")];
  const replay = replayOf({ ...TRACED, backward: recorded({ nodes: [0], effects }) });
  assert.deepEqual(told(replay), ["", "early", "A", "late"]);
});

test("nodes and hooks know their moment; what does not run comes after the last", () => {
  const replay = replayOf(WATCHED);
  assert.deepEqual(
    [0, 1, 2, 3].map((node) => momentOfNode(replay, node)),
    [2, 8, 5, 6],
  );
  assert.deepEqual(
    EFFECTS.map((_, place) => momentOfEffect(replay, place)),
    [1, 3, 4, 7],
  );
});

test("an empty backward has one moment", () => {
  const replay = replayOf({ ...TRACED, backward: recorded({ nodes: [] }) });
  assert.deepEqual([replay.last, momentOf(replay, { step: 0, fired: null }), nodeAt(replay, 0)], [0, 0, null]);
});

test("the classic: what the bar says at every step", () => {
  const { model } = golden().find(({ file }) => file === "watched-hooks.json")!;
  const { last } = replayOf(model);
  assert.deepEqual(
    Array.from({ length: last + 1 }, (_, moment) => momentSentence(model, moment).words),
    [
      "0 of 3: nothing has run",
      "1 of 3: SumBackward0 · grad 1",
      "2 of 3: MulBackward0 · grad 1.41",
      "2 of 3: at a, hook <lambda> (train.py:12): 2.83 → 8.49, replaced",
      "3 of 3: a · grad 8.49",
      "3 of 3: at a, pre-hook <lambda> (train.py:13): 8.49, unchanged",
      "3 of 3: at a, post-accumulate hook <lambda> (train.py:14): 8.49 → 4.24, in place",
      "3 of 3: at a, post-hook <lambda> (train.py:15): 8.49, unchanged",
    ],
  );
});

test("where the gradient turns, what is missing and what ended it are said too", () => {
  const { model } = golden().find(({ file }) => file === "watched.json")!;
  const { last } = replayOf(model);
  const said = Array.from({ length: last + 1 }, (_, moment) => momentSentence(model, moment).words);
  assert.ok(said.some((words) => words.endsWith("AddBackward0 · grad 0.408, none")));
  assert.ok(said.some((words) => words.endsWith("LogBackward0 · grad nan · turns non-finite here")));
  assert.ok(said.at(-1)!.endsWith(" · then it raised RuntimeError: bad"));
});
