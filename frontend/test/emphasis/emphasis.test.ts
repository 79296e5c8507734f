import assert from "node:assert/strict";
import test from "node:test";
import { HUES, MIXED, NONE, OTHER, SCALE } from "../../src/emphasis/palette.ts";
import { colorLegend, emphasize } from "../../src/emphasis.ts";
import type { Model } from "../../src/model.ts";
import { compose } from "../../src/scene/compose.ts";
import { type FoldState, INITIAL, type State } from "../../src/state.ts";
import { ghost, graphOf, leaf, meta, modelOf, module, repeat, saved } from "../models.ts";

// 0 leads to 1 and to 2; 1 with its weight 3 and 2 with its weight 4 lead to 5. Boxes: n0, n1, n1:n3, g1 (2, 4), n5, ghost.
const OPS = ["Add", "Mm", "Mm", "AccumulateGrad", "AccumulateGrad", "Tanh"];
const GRAPH = graphOf(
  OPS,
  [
    [0, 1],
    [0, 2],
    [1, 5],
    [1, 3],
    [2, 5],
    [2, 4],
  ],
  {
    module: [null, "net.a", "net.b", null, null, "net.b"],
    slots: [[meta("()")], [meta("()", "float16")], [meta("()", "float16")], [meta("()")], [], [meta("()", "int8")]],
    saved: [[], [saved(1000, 1)], [saved(1000, 1), saved(9000, 2)], [], [], [saved(100_000, 3)]],
    leaves: [leaf("net.a.w", 3), leaf("net.b.w", 4), leaf("net.b.lost", null)],
  },
);
const MODEL = modelOf(GRAPH, [0, 1, module("g1", [2]), 3, ghost(2)]);
const SCENE = compose(MODEL, {});
const KEYS = ["n0", "n1", "n1:n3", "g1", "n5", "ghost2"];

function shown(state: Partial<State>): ReturnType<typeof emphasize> {
  return emphasize(MODEL, SCENE, { ...INITIAL, ...state }, "light");
}

/** The keys of the boxes that a mark is on. */
const marked = (marks: Uint8Array | null): string[] | null => marks && KEYS.filter((_, box) => marks[box] === 1);

function undimmedArrows(marks: Uint8Array): string[] {
  const kept = SCENE.arrows.filter((_, arrow) => marks[arrow] === 0);
  return kept.map(({ source, target }) => `${KEYS[source]} > ${KEYS[target]}`);
}

test("nothing stands out at first, nor while a node is only selected", () => {
  assert.deepEqual(
    SCENE.boxes.map((box) => box.key),
    KEYS,
  );
  const plain = {
    paints: null,
    dimBoxes: null,
    dimArrows: null,
    found: null,
    progress: null,
    running: -1,
    replay: null,
    arrow: -1,
    frames: null,
  };
  assert.deepEqual(shown({}), { ...plain, selected: null });
  const { selected, ...others } = shown({ selected: ["n4", "n5"] });
  assert.deepEqual(marked(selected), ["g1", "n5"]);
  assert.deepEqual(others, plain);
});

test("upstream of a node, and what leads to it, stand out", () => {
  const { dimBoxes, dimArrows } = shown({ highlight: { kind: "upstream", ids: ["n1"] } });
  assert.deepEqual(marked(dimBoxes), ["n1:n3", "g1", "n5", "ghost2"]);
  assert.deepEqual(undimmedArrows(dimArrows!), ["n0 > n1"]);
});

test("between two nodes all paths stand out, whichever is named first", () => {
  for (const ids of [
    ["n0", "n4"],
    ["n4", "n0"],
  ]) {
    const { dimBoxes, dimArrows } = shown({ highlight: { kind: "between", ids } });
    assert.deepEqual(marked(dimBoxes), ["n1", "n1:n3", "n5", "ghost2"]);
    assert.deepEqual(undimmedArrows(dimArrows!), ["n0 > g1"]);
  }
});

test("both is upstream and downstream together", () => {
  const { dimBoxes, dimArrows } = shown({ highlight: { kind: "both", ids: ["n2"] } });
  assert.deepEqual(marked(dimBoxes), ["n1", "n1:n3", "ghost2"]);
  assert.deepEqual(undimmedArrows(dimArrows!), ["n0 > g1", "g1 > n5"]);
});

test("a highlight of nothing in this graph dims nothing", () => {
  assert.equal(shown({ highlight: { kind: "upstream", ids: ["n99", "weight"] } }).dimBoxes, null);
});

test("a highlight of a kind that is not known dims nothing", () => {
  const kind = "sideways" as "both";
  assert.equal(shown({ highlight: { kind, ids: ["n1"] } }).dimBoxes, null);
});

test("an arrow stays for any one of its edges, not only for the first few", () => {
  // six edges from one module into another, of which the last alone lies on the path
  const from = [0, 1, 2, 3, 4, 5];
  const graph = graphOf(
    Array(12).fill("Add"),
    from.map((node): [number, number] => [node, node + 6]),
  );
  const model: Model = modelOf(graph, [
    module("g1", from),
    module(
      "g2",
      from.map((node) => node + 6),
    ),
  ]);
  const scene = compose(model, {});
  const state: State = { ...INITIAL, highlight: { kind: "downstream", ids: ["n5"] } };
  assert.equal(scene.arrows[0]!.sample.includes(5), false);
  assert.deepEqual([...emphasize(model, scene, state, "light").dimArrows!], [0]);
});

test("found are boxes with a match inside, and ghosts", () => {
  assert.deepEqual(marked(shown({ query: "net.b" }).found), ["g1", "n5", "ghost2"]);
  assert.deepEqual(marked(shown({ query: "unreached" }).found), ["ghost2"]);
  assert.deepEqual(marked(shown({ query: "saved>abc" }).found), []);
  assert.equal(shown({ query: " " }).found, null);
});

test("a step shows which share of each box has run, and the box that ran last", () => {
  const { progress, running } = shown({ step: 3 });
  assert.deepEqual([...progress!], [1, 1, 0, 0.5, 0, 0]);
  assert.equal(KEYS[running], "g1");
  assert.equal(shown({ step: 0 }).running, -1);
});

const light = (swatch: { light: unknown }): unknown => swatch.light;

test("modules have hues by the first step that tells them apart", () => {
  assert.deepEqual(
    shown({ colorBy: "module" }).paints,
    [NONE, HUES[1]!, HUES[1]!, HUES[0]!, HUES[0]!, HUES[0]!].map(light),
  );
  assert.deepEqual(colorLegend(MODEL, SCENE, "module", "dark"), [
    { label: "net.b", paint: HUES[0]!.dark }, // forward runs it first
    { label: "net.a", paint: HUES[1]!.dark },
    { label: "in no module", paint: NONE.dark },
  ]);
});

test("a closed box has the hue of most that is in it, and is mixed where nothing has the most", () => {
  // g1 holds a float16 operation and a float32 leaf
  const names = colorLegend(MODEL, SCENE, "dtype", "light").map((row) => row.label);
  assert.deepEqual(names, ["float16", "float32", "int8", "several dtypes"]);
  const [float16, float32, int8] = HUES.map(light);
  const expected = [float32, float16, float32, MIXED.light, int8, float32];
  assert.deepEqual(shown({ colorBy: "dtype" }).paints, expected);
});

test("what is beyond ten categories is other", () => {
  const slots = Array.from({ length: 12 }, (_, place) => [meta("()", `type${place}`)]);
  const graph = graphOf(Array(12).fill("Add"), [], { slots });
  const model = modelOf(graph, [...slots.keys()]);
  const rows = colorLegend(model, compose(model, {}), "dtype", "light");
  const first = slots.slice(0, 10).map((_, place) => `type${place}`);
  assert.deepEqual(
    rows.map((row) => row.label),
    [...first, "2 other dtypes"],
  );
  assert.equal(rows.at(-1)!.paint, OTHER.light);
});

test("modules have hues in the order of forward, and frames that of their module", () => {
  // Backward runs head, blocks 1 and 0, embed; forward has them the other way round.
  const path = ["net.head", "net.blocks.1", "net.blocks.0", "net.embed"];
  const graph = graphOf(Array(4).fill("Mm"), [], { module: path });
  const model = modelOf(graph, [0, module("g1", [module("g2", [1], true), 2], true), module("g3", [3])]);
  const scene = compose(model, {});
  const rows = colorLegend(model, scene, "module", "light");
  const [embed, blocks, head] = HUES.map((hue) => hue.light);
  assert.deepEqual(rows, [
    { label: "net.embed", paint: embed },
    { label: "net.blocks", paint: blocks },
    { label: "net.head", paint: head },
  ]);
  const { frames } = emphasize(model, scene, { ...INITIAL, colorBy: "module" }, "light");
  assert.deepEqual(frames, [blocks!.line, blocks!.line]);
});

test("the round of a repeat stands for several modules, its single rounds for their own", () => {
  // Twelve layers: ten of them have hues, in the order of forward, however many there are of each.
  const layers = [...Array(12).keys()];
  const graph = graphOf(Array(12).fill("Mm"), [], { module: layers.map((layer) => `layers.${11 - layer}`) });
  const rounds = layers.map((layer) => module(`round${layer}`, [layer]));
  const model = modelOf(graph, [repeat("r", 12, [0], rounds)]);
  const labels = (folds: FoldState) => {
    return colorLegend(model, compose(model, folds), "module", "light").map((row) => row.label);
  };
  assert.deepEqual(labels({ r: "open" }), ["several modules"]);
  const first = layers.slice(0, 10).map((layer) => `layers.${layer}`);
  assert.deepEqual(labels({ r: "unrolled" }), [...first, "2 other modules"]);
});

test("where a repeat stands for several modules, their parts are told apart", () => {
  const layers = [...Array(4).keys()];
  const path = layers.flatMap((layer) => [`net.layers.${3 - layer}.norm`, `net.layers.${3 - layer}.linear`]);
  const graph = graphOf(Array(8).fill("Mm"), [], { module: path });
  const rounds = layers.map((layer) => module(`round${layer}`, [2 * layer, 2 * layer + 1]));
  const model = modelOf(graph, [repeat("r", 4, [0, 1], rounds)]);
  const rows = colorLegend(model, compose(model, { r: "open" }), "module", "light");
  assert.deepEqual(
    rows.map((row) => row.label),
    ["net.layers.*.linear", "net.layers.*.norm"],
  );
});

test("bytes saved are on a logarithmic scale, each storage once", () => {
  // n1 1 kB, g1 10 kB, n5 100 kB: least, middle and most
  const [none, least, middle, most] = [NONE, SCALE[0]!, SCALE[2]!, SCALE[4]!].map(light);
  assert.deepEqual(shown({ colorBy: "saved" }).paints, [none, least, none, middle, most, none]);
  const rows = colorLegend(MODEL, SCENE, "saved", "light");
  assert.deepEqual(
    rows.map((row) => row.label),
    ["1.0 kB", "3.2 kB", "10.0 kB", "31.6 kB", "100.0 kB", "nothing saved"],
  );
});

test("roles need no colours of their own", () => {
  assert.deepEqual(colorLegend(MODEL, SCENE, "role", "light"), []);
});
