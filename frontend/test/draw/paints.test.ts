import assert from "node:assert/strict";
import test from "node:test";
import { badgePaint, boxPaint, spotColor } from "../../src/draw/paints.ts";
import { box, LOOKS } from "./drawing.ts";

test("badges that name a role have its colours, those of hooks their own, all others the same", () => {
  const fills = (badge: string) => badgePaint(badge, LOOKS, "light").fill;
  assert.equal(fills("root"), "root-light-fill");
  assert.equal(fills("2 dead ends"), "dead_end-light-fill");
  assert.equal(fills("1 dead end"), "dead_end-light-fill");
  assert.equal(fills("3 frozen"), "frozen-light-fill");
  assert.equal(fills("not reached"), "unreached-light-fill");
  assert.equal(fills("2 checkpoints"), "checkpoint-light-fill");
  assert.equal(fills("in place"), "in_place-light-fill");
  assert.equal(fills("hook"), "hook-fill");
  assert.equal(fills("hooks ×2"), "hook-fill");
  assert.equal(fills("cuda:0"), "badge-fill");
  assert.equal(fills("bias"), "badge-fill");
  assert.equal(badgePaint("custom", LOOKS, "dark").line, "custom-dark-line");
});

test("a box has its role's colours unless others are given", () => {
  const nothing = {
    paints: null,
    dimBoxes: null,
    dimArrows: null,
    selected: null,
    found: null,
    progress: null,
    running: -1,
  };
  const other = { fill: "f", line: "l", text: "t" };
  assert.equal(boxPaint(box({ role: "view" }), 0, LOOKS, "dark", nothing).fill, "view-dark-fill");
  assert.equal(boxPaint(box({ role: "view" }), 1, LOOKS, "dark", { ...nothing, paints: [null, other] }), other);
});

test("a spot's colour lies between area and outline", () => {
  assert.equal(spotColor({ fill: "#ffffff", line: "#000080", text: "" }), "#8080c0");
  assert.equal(spotColor({ fill: "white", line: "#123456", text: "" }), "#123456");
});
