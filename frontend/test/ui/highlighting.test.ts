import assert from "node:assert/strict";
import { test } from "node:test";
import { compose } from "../../src/scene/compose.ts";
import { type Highlight, INITIAL } from "../../src/state.ts";
import { highlightWords } from "../../src/ui/highlighting.ts";
import { Desk } from "./desk.ts";
import { small } from "./small.ts";

const words = (kind: Highlight["kind"], ...ids: string[]): string =>
  highlightWords(small, compose(small, {}), { ...INITIAL, highlight: { kind, ids } });

test("what stands out is called by what it is of, and counted", () => {
  assert.equal(words("upstream", "n3"), "All paths from net.0.weight to the loss · 3 nodes");
  assert.equal(words("upstream", "n1"), "Upstream of AddmmBackward0 n1 · 2 nodes");
  assert.equal(words("downstream", "n0"), "Downstream of MeanBackward0 n0 · 4 nodes");
  assert.equal(words("both", "n1"), "All paths through AddmmBackward0 n1 · 4 nodes");
  assert.equal(words("both", "n1", "n2", "n3"), "All paths through net.0: Linear · 4 nodes");
  assert.equal(words("between", "n0", "n2"), "Paths between MeanBackward0 n0 and net.0.bias · 3 nodes");
  assert.equal(words("between", "n2", "n3"), "No path between net.0.bias and net.0.weight");
  assert.equal(words("upstream", "n99"), "");
});

test("the same asked again ends it, and Back brings it again", async () => {
  const desk = await Desk.drawn(small);
  desk.actions.selectBox(desk.box("n0"));
  desk.actions.highlight("downstream");
  assert.equal(desk.actions.highlights("downstream"), true);
  assert.equal(desk.actions.highlights("both"), false);
  desk.actions.highlight("downstream");
  assert.equal(desk.state.highlight, null);
  desk.controller.travel(-1);
  assert.deepEqual(desk.state.highlight, { kind: "downstream", ids: ["n0"] });
  desk.controller.travel(-1);
  assert.deepEqual([desk.state.highlight, desk.state.selected], [null, ["n0"]]);
});
