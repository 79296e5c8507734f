import assert from "node:assert/strict";
import { test } from "node:test";
import { describe } from "../../src/ui/describe.ts";
import type { Entry, Sheet, Subject } from "../../src/ui/sheet.ts";
import { small } from "./small.ts";

const entriesOf = (sheet: Sheet, title: string): readonly Entry[] =>
  sheet.sections.find((section) => section.title === title)?.entries ?? [];

/** Facts as "name: value", lists as their links, all else as its text. */
function said(sheet: Sheet, title: string): string[] {
  return entriesOf(sheet, title).flatMap((entry) => {
    if (entry.is === "fact") return [`${entry.name}: ${entry.value}`];
    return entry.is === "links" ? entry.links.map((link) => `${link.text} | ${link.detail}`) : [entry.text];
  });
}

const NODE = { kind: "node", alike: [], repeat: -1 } as const;
const node = (place: number): Sheet => describe(small, { ...NODE, node: place });

test("an operation tells its arguments, slots, memory, neighbors and place", () => {
  const sheet = node(1);
  assert.equal(sheet.title, "AddmmBackward0");
  assert.equal(sheet.subtitle, "n1 · operation");
  assert.deepEqual(said(sheet, ""), [
    "module: net.0: Linear (inferred)",
    "source: train.py:7 in step",
    "order: runs 2nd of 4",
  ]);
  assert.deepEqual(said(sheet, "Derivatives"), ["mat1: grad.mm(mat2.t())"]);
  assert.deepEqual(said(sheet, "No gradient"), ["mat1: x: it does not require grad"]);
  assert.deepEqual(said(sheet, "Arriving gradients"), ["slot 0: (2, 3) float32 cpu"]);
  assert.deepEqual(said(sheet, "Saved for backward · 24 bytes in 1 tensor"), [
    "mat1: (2, 3) float32 cpu, 24 bytes, held; same memory as n0 self",
    "mat2: absent",
  ]);
  assert.deepEqual(said(sheet, "Upstream"), ["MeanBackward0 | n0 self ()"]);
  assert.deepEqual(said(sheet, "Downstream"), ["net.0.bias | self (3,)", "net.0.weight | mat2 (4, 3)"]);
  assert.deepEqual(said(sheet, "Reached by"), ["loss.grad_fn.next_functions[0][0]"]);
});

test("arguments with one formula are said together, after what is saved", () => {
  const both = ["input", "weight"].map((name) => ({ name, formula: "convolution_backward(grad)" }));
  const args = [[], [...both, { name: "bias", formula: "grad.sum()" }], [], []];
  const sheet = describe({ ...small, graph: { ...small.graph, args } }, { ...NODE, node: 1 });
  assert.deepEqual(said(sheet, "Derivatives"), ["input, weight: convolution_backward(grad)", "bias: grad.sum()"]);
  const titles = sheet.sections.map(({ title }) => title);
  assert.ok(titles.indexOf("Derivatives") > titles.findIndex((title) => title.startsWith("Saved")));
});

test("that a parameter was filled once is no news, that it was changed later is", () => {
  const versions = (version: number, parameter = true): string[] => {
    const leaves = small.graph.leaves.map((leaf) => ({ ...leaf, version, parameter }));
    return said(describe({ ...small, graph: { ...small.graph, leaves } }, { ...NODE, node: 3 }), "Leaf");
  };
  const news = (said: string[]): string[] => said.filter((one) => one.startsWith("version"));
  assert.deepEqual(news(versions(1)), []);
  assert.deepEqual(news(versions(2)), ["version: changed in place 2 times"]);
  assert.deepEqual(news(versions(1, false)), ["version: changed in place 1 time"]);
});

test("traced outputs within something are reached from the outputs", () => {
  const roots = [{ ...small.graph.roots[0]!, after: "['d']" }];
  const sheet = describe({ ...small, graph: { ...small.graph, roots } }, { ...NODE, node: 0 });
  assert.ok(said(sheet, "").includes("root: outputs['d']"));
  assert.deepEqual(said(sheet, "Reached by"), ["outputs['d'].grad_fn"]);
});

test("the module of an operation and that of a leaf lead to its part", () => {
  for (const node of [1, 3]) {
    const entries = describe(small, { ...NODE, node }).sections[0]!.entries;
    const module = entries.find((entry) => entry.is === "fact" && entry.name === "module");
    assert.deepEqual(module?.is === "fact" && module.goal, { kind: "module", node });
  }
});

test("a leaf tells its name, its state and its hooks, and leads to the loss", () => {
  const sheet = node(3);
  assert.equal(sheet.title, "net.0.weight");
  assert.equal(sheet.subtitle, "AccumulateGrad · n3 · leaf");
  assert.deepEqual(sheet.actions, ["toLoss", "pathTo"]);
  assert.deepEqual(said(sheet, "Leaf"), [
    "kind: parameter",
    "tensor: (4, 3) float32 cpu",
    "state: requires grad",
    "grad: None",
  ]);
  assert.deepEqual(said(sheet, "Hooks"), ["post accumulate: clip on net.0.weight at train.py:3"]);
  assert.deepEqual(said(sheet, "Downstream"), []);
});

test("a leaf with several uses says so", () => {
  const { graph } = small;
  const twice = { ...graph, source: Int32Array.of(0, 0, 1, 1), target: Int32Array.of(1, 3, 2, 3) };
  const shared = { ...small, graph: { ...twice, edgeName: ["self", "other", "self", "mat2"] } };
  const sheet = describe(shared, { kind: "node", node: 3, alike: [], repeat: -1 });
  assert.ok(said(sheet, "Leaf").includes("used by: 2 operations; drawn at each of them"));
  assert.deepEqual(said(sheet, "Upstream"), ["MeanBackward0 | n0 other ()", "AddmmBackward0 | n1 mat2 (2, 3)"]);
});

test("an operation in a round tells for which others its box stands", () => {
  const sheet = describe(small, { kind: "node", node: 2, alike: [3], repeat: -1 });
  assert.deepEqual(said(sheet, "").slice(0, 2), [
    "Stands for 2 rounds: one box is drawn for all of them.",
    "net.0.weight | (4, 3)",
  ]);
});

test("a closed module sums up what is in it, counts shared memory once and lists its parts", () => {
  const sheet = describe(small, { kind: "part", item: 2, open: false });
  assert.equal(sheet.title, "net.0: Linear");
  assert.equal(sheet.subtitle, "closed module");
  assert.equal(sheet.actions[0], "unfold");
  assert.deepEqual(said(sheet, "Contents"), [
    "operations: 1",
    "leaves: 2",
    "saved: 24 bytes in 1 tensor",
    "dead ends: 1 (it does not require grad)",
  ]);
  assert.deepEqual(said(sheet, "Leaves"), ["net.0.bias | (3,)", "net.0.weight | (4, 3)"]);
  assert.deepEqual(said(sheet, "Inside"), ["AddmmBackward0 | (2, 3)"]);
});

test("several nodes are summed up; what they share counts once", () => {
  const sheet = describe(small, { kind: "nodes", nodes: [0, 1] });
  assert.equal(sheet.title, "2 nodes");
  assert.deepEqual(sheet.actions, ["upstream", "downstream", "pathTo"]);
  assert.deepEqual(said(sheet, "Contents").slice(0, 3), ["operations: 2", "leaves: 0", "saved: 24 bytes in 1 tensor"]);
});

test("the whole graph tells its notes, its kinds, and what does not learn", () => {
  const sheet = describe(small, { kind: "graph" });
  assert.equal(sheet.title, "4 nodes");
  assert.equal(sheet.subtitle, "backward graph · 3 edges");
  assert.deepEqual(said(sheet, "Notes"), ["A note."]);
  assert.deepEqual(said(sheet, "Roots"), ["loss | n0 ()"]);
  assert.deepEqual(said(sheet, "Kinds"), ["2: leaf", "2: operation"]);
  assert.deepEqual(said(sheet, "Frozen parameters"), ["net.1.weight | (5, 5)"]);
  assert.deepEqual(said(sheet, "Parameters not reached"), ["net.2.weight | (6, 6)"]);
});

test("ghosts and dead ends tell what is known", () => {
  const frozen = describe(small, { kind: "ghost", leaves: [2] });
  assert.equal(frozen.subtitle, "frozen");
  assert.ok(said(frozen, "Leaf").includes("state: frozen: requires_grad is False"));
  const unreached = describe(small, { kind: "ghost", leaves: [3] });
  assert.ok(said(unreached, "Leaf").includes("state: requires grad, but this graph does not reach it"));
  const end = describe(small, { kind: "dead_end", end: 0 });
  assert.deepEqual(said(end, "Dead end"), ["mat1: x: it does not require grad", "next_functions: [1] of n1 is None"]);
});

test("an arrow tells its edges, both ends and the gradient's shape, and how many it leaves out", () => {
  const arrow = { source: 0, target: 1, label: "", edges: 9, again: false, sample: [2] };
  const subject: Subject = { kind: "arrow", arrow, source: "addmm", target: "leaves" };
  const sheet = describe(small, subject);
  assert.equal(sheet.title, "addmm → leaves");
  assert.deepEqual(said(sheet, "Edges"), [
    "AddmmBackward0 | n1 sends mat2 (4, 3)",
    "net.0.weight | n3 receives it",
    "and 8 more edges",
  ]);
});
