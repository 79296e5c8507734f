import assert from "node:assert/strict";
import test from "node:test";
import { HUES, MIXED, NONE, OTHER, SCALE, type Swatch } from "../../src/emphasis/palette.ts";
import { golden } from "../golden.ts";

const ALL: readonly Swatch[] = [...HUES, ...SCALE, OTHER, MIXED, NONE];

function luminance(color: string): number {
  assert.match(color, /^#[0-9a-f]{6}$/);
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light! + 0.05) / (dark! + 0.05);
}

for (const theme of ["light", "dark"] as const) {
  test(`texts and outlines can be seen in the ${theme} theme`, () => {
    const { paper } = golden()[0]!.model.looks[theme];
    for (const swatch of ALL) {
      const { fill, line, text } = swatch[theme];
      assert.ok(contrast(text, fill) >= 4.5, `${text} on ${fill}`);
      assert.ok(contrast(line, paper) >= 3, `${line} on ${paper}`);
    }
  });

  test(`more stands out more in the ${theme} theme`, () => {
    const { paper } = golden()[0]!.model.looks[theme];
    const steps = SCALE.map((swatch) => contrast(swatch[theme].fill, paper));
    assert.deepEqual(
      steps,
      [...steps].sort((one, other) => one - other),
    );
  });
}

test("no two mean the same", () => {
  for (const theme of ["light", "dark"] as const) {
    assert.equal(new Set(ALL.map((swatch) => swatch[theme].fill)).size, ALL.length);
  }
});
