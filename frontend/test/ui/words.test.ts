import assert from "node:assert/strict";
import { test } from "node:test";
import { compose } from "../../src/scene/compose.ts";
import type { Scene } from "../../src/scene/types.ts";
import { momentSentence } from "../../src/ui/replay_words.ts";
import { drawingName, foldSentence, matchSentence, selectionSentence, stillAsOne } from "../../src/ui/sentences.ts";
import { count, ordinal, several, size } from "../../src/wording.ts";
import { small } from "./small.ts";

test("numbers are grouped and have their nouns", () => {
  assert.equal(count(1, "node"), "1 node");
  assert.equal(count(12345, "box", "boxes"), "12,345 boxes");
  assert.deepEqual([1, 2, 3, 4, 11, 12, 13, 21, 112, 1002].map(ordinal), [
    ...["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "112th", "1,002nd"],
  ]);
});

test("bytes are said in the largest unit that leaves at least one of it, as Python says them", () => {
  const bytes = [0, 1, 999, 1000, 999_949, 999_950, 12_345_678];
  assert.deepEqual(bytes.map(size), ["0 bytes", "1 byte", "999 bytes", "1.0 kB", "999.9 kB", "1.0 MB", "12.3 MB"]);
});

test("long lists say how much they leave out", () => {
  assert.equal(several(["a", "b"]), "a, b");
  assert.equal(several(["a", "b", "c", "d", "e"]), "a, b, c and 2 more");
});

test("one sentence tells what is selected", () => {
  assert.equal(selectionSentence(small, { kind: "graph" }), "");
  assert.equal(
    selectionSentence(small, { kind: "node", node: 1, alike: [], repeat: -1 }),
    "AddmmBackward0 n1, operation, (2, 3), in net.0, 1 upstream and 2 downstream neighbors.",
  );
  assert.equal(
    selectionSentence(small, { kind: "node", node: 3, alike: [], repeat: -1 }),
    "AccumulateGrad n3 of net.0.weight, leaf, (4, 3), in net.0, 1 upstream and 0 downstream neighbors.",
  );
  assert.equal(selectionSentence(small, { kind: "part", item: 2, open: true }), "net.0: Linear, open module.");
});

test("searching, stepping and folding say how they went", () => {
  assert.equal(matchSentence(" ", 0, -1), "");
  assert.equal(matchSentence("relu", 0, -1), "Nothing matches “relu”.");
  assert.equal(matchSentence("relu", 1, -1), "1 match for “relu”.");
  assert.equal(matchSentence("relu", 17, 2), "Match 3 of 17.");
  assert.equal(momentSentence(small, 0).words, "0 of 4: nothing has run");
  assert.equal(momentSentence(small, 2).words, "2 of 4: AddmmBackward0 in net.0");
  assert.equal(momentSentence(small, 3).words, "3 of 4: net.0.weight");
  const scene = compose(small, {});
  assert.equal(foldSentence("Folded 0: Linear", scene), "Folded 0: Linear: 2 boxes shown.");
  assert.deepEqual(stillAsOne(scene), ["1 part stays folded: there would be too many boxes"]);
  const rounds = { ...scene, boxes: [], groups: [{ times: 12 }, { times: 1 }] } as unknown as Scene;
  assert.equal(
    foldSentence("Unfolded all", rounds, stillAsOne(rounds)),
    "Unfolded all: 0 boxes shown; 12 equal rounds are shown as one.",
  );
});

test("the drawing is called a backward graph, with its sizes", () => {
  const titled = (title: string) => drawingName({ ...small, graph: { ...small.graph, title } }, 3);
  assert.equal(titled(""), "Backward graph: 4 nodes, 3 edges; 3 boxes shown");
  assert.equal(titled("my model"), "Backward graph: my model: 4 nodes, 3 edges; 3 boxes shown");
  assert.equal(titled("76 nodes, 18 parameters"), "Backward graph: 76 nodes, 18 parameters; 3 boxes shown");
});
