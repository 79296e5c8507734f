import assert from "node:assert/strict";
import test from "node:test";
import { badgePaint, boxPaint, faded, PLAIN, spotColor } from "../../src/draw/paints.ts";
import { HUES, MIXED, NONE, OTHER, SCALE } from "../../src/emphasis/palette.ts";
import type { ThemeName } from "../../src/model.ts";
import { golden } from "../golden.ts";
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
  const other = { fill: "f", line: "l", text: "t" };
  assert.equal(boxPaint(box({ role: "view" }), 0, LOOKS, "dark", PLAIN).fill, "view-dark-fill");
  assert.equal(boxPaint(box({ role: "view" }), 1, LOOKS, "dark", { ...PLAIN, paints: [null, other] }), other);
});

test("a spot's colour lies between area and outline", () => {
  assert.equal(spotColor({ fill: "#ffffff", line: "#000080", text: "" }), "#8080c0");
  assert.equal(spotColor({ fill: "white", line: "#123456", text: "" }), "#123456");
});

/** Relative luminance by WCAG 2.2. */
function luminance(color: string): number {
  const [r, g, b] = [1, 3, 5].map((place) => {
    const share = Number.parseInt(color.slice(place, place + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

test("what stands back is calm, and can still be read, whatever its colours and in both themes", () => {
  const { looks } = golden()[0]!.model;
  const swatches = [...HUES, ...SCALE, OTHER, MIXED, NONE, ...Object.values(looks.roles)];
  for (const theme of ["light", "dark"] as ThemeName[]) {
    for (const swatch of [...swatches.map((one) => one[theme]), looks[theme].hook, looks[theme].badge]) {
      const { fill, line, text } = faded(swatch, looks[theme]);
      const reads = contrast(text, fill);
      assert.ok(reads >= 2.8 && reads < 3.8, `${text} on ${fill}: ${reads}`);
      assert.ok(contrast(fill, looks[theme].paper) < 1.9, `the area ${fill} stands out`);
      assert.ok(contrast(line, looks[theme].paper) < 4, `the line ${line} stands out`);
    }
  }
});

test("what stands back keeps some of its colours", () => {
  const theme = { ...LOOKS.light, paper: "#ffffff", text: "#000000" };
  const { fill, line } = faded({ fill: "#ff0000", line: "#0000ff", text: "#ffffff" }, theme);
  assert.deepEqual([fill, line], ["#ffc7c7", "#9999ff"]);
});
