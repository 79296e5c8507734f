import assert from "node:assert/strict";
import { test } from "node:test";
import { decideTheme, luminance, type Surroundings } from "../../src/ui/theme.ts";

const PLAIN: Surroundings = {
  ...{ chosen: "auto", jupyterLight: null, declared: null, classes: [], behind: null, prefersDark: false },
};
const decide = (facts: Partial<Surroundings>) => decideTheme({ ...PLAIN, ...facts });

test("what was chosen goes first", () => {
  assert.equal(decide({ chosen: "light", jupyterLight: "false", prefersDark: true }), "light");
  assert.equal(decide({ chosen: "dark", jupyterLight: "true" }), "dark");
});

test("hosts that say so are believed before colors", () => {
  assert.equal(decide({ jupyterLight: "false", behind: [255, 255, 255] }), "dark");
  assert.equal(decide({ jupyterLight: "true", prefersDark: true }), "light");
  assert.equal(decide({ declared: "dark" }), "dark");
  assert.equal(decide({ declared: "light", prefersDark: true }), "light");
  assert.equal(decide({ classes: ["vscode-dark"] }), "dark");
  assert.equal(decide({ classes: ["vscode-high-contrast", "vscode-high-contrast-light"] }), "light");
  assert.equal(decide({ classes: ["dark"], behind: [255, 255, 255] }), "dark");
});

test("else the color behind decides, and only without one the system", () => {
  assert.equal(decide({ behind: [17, 17, 17] }), "dark");
  assert.equal(decide({ behind: [250, 250, 250], prefersDark: true }), "light");
  assert.equal(decide({ declared: "solarized", classes: ["wide"], behind: [0, 43, 54] }), "dark");
  assert.equal(decide({ prefersDark: true }), "dark");
  assert.equal(decide({}), "light");
});

test("luminance is WCAG's", () => {
  assert.equal(luminance([0, 0, 0]), 0);
  assert.ok(Math.abs(luminance([255, 255, 255]) - 1) < 1e-12);
  assert.ok(Math.abs(luminance([255, 0, 0]) - 0.2126) < 1e-12);
});
