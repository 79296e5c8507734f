// Keys lead into parts and out of them, and the keys stay where they were led.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Diving } from "../../src/ui/diving.ts";
import { graphOf, modelOf, module, repeat } from "../models.ts";
import { Desk } from "./desk.ts";

// 0, then three rounds of 1 and a module with 2: nodes 1 2, 3 4, 5 6.
const PAIRS = [1, 2, 3, 4, 5, 6].map((node): [number, number] => [node - 1, node]);
const GRAPH = graphOf(Array(7).fill("Tanh"), PAIRS);
const round = (number: number) => {
  return module(`round${number}`, [2 * number - 1, module(`m${number}`, [2 * number])], true);
};
const MODEL = modelOf(GRAPH, [0, repeat("r", 3, [1, module("m", [2])], [1, 2, 3].map(round))]);

async function divingIn(folds: Record<string, "open" | "unrolled"> = {}) {
  const desk = await Desk.drawn(MODEL, { folds });
  const diving = new Diving(desk.controller, desk.actions, (sentence) => desk.said.push(sentence));
  return { desk, diving };
}

test("Enter goes into a closed box, to the first box inside, and into that", async () => {
  const { desk, diving } = await divingIn();
  desk.actions.selectBox(desk.box("r"));
  diving.enter();
  await desk.screen.finish();
  assert.deepEqual([desk.state.folds, desk.state.focus, desk.state.selected], [{ r: "open" }, "n1", ["n1"]]);
  assert.deepEqual(desk.stage.centered, ["n1"]);
  assert.match(desk.said.at(-1)!, /^Unfolded r: 3 boxes shown\. Tanh n1/);

  desk.actions.selectBox(desk.box("m"));
  diving.enter();
  await desk.screen.finish();
  assert.equal(desk.state.focus, "n2");
  diving.enter();
  assert.equal(desk.said.at(-1), "There is nothing to unfold in it.");
});

test("Shift+Enter folds one frame after the other, and is at the closed box", async () => {
  const { desk, diving } = await divingIn({ r: "open", m: "open" } as never);
  desk.actions.selectBox(desk.box("n2"));
  diving.foldAround();
  await desk.screen.finish();
  assert.deepEqual([desk.state.folds, desk.state.focus], [{ r: "open" }, "m"]);
  assert.equal(desk.controller.subject.kind, "part");
  diving.foldAround();
  await desk.screen.finish();
  assert.deepEqual([desk.state.folds, desk.state.focus], [{}, "r"]);
  assert.deepEqual(desk.screen.asked.slice(1), [{ key: "m" }, { key: "r" }]);
  diving.foldAround();
  assert.equal(desk.said.at(-1), "There is no frame around it.");
});

test("Enter on a picked frame folds it", async () => {
  const { desk, diving } = await divingIn({ r: "open" });
  desk.actions.selectFrame(desk.item("r"));
  diving.enter();
  await desk.screen.finish();
  assert.deepEqual([desk.state.folds, desk.state.focus], [{}, "r"]);
});

test("r shows all rounds of the repeat around, and one for all again", async () => {
  const { desk, diving } = await divingIn({ r: "open" });
  desk.actions.selectBox(desk.box("n1"));
  diving.turnRounds();
  await desk.screen.finish();
  assert.deepEqual([desk.state.folds, desk.state.selected], [{ r: "unrolled" }, ["n1"]]);
  assert.match(desk.said.at(-1)!, /^Showing all rounds of r: /);
  diving.turnRounds();
  await desk.screen.finish();
  assert.deepEqual(desk.state.folds, { r: "open" });
  desk.actions.selectBox(desk.box("n0"));
  diving.turnRounds();
  assert.equal(desk.said.at(-1), "There is no repeat here.");
});
