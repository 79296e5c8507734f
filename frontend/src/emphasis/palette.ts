// The colours of "colour by", in both themes: fill, outline and text.
//
// Hues mean categories. There are ten, at even steps of lightness and colourfulness in OKLCH, so that none stands out
// more than another; more could not be told apart. A hue is the same in the light and the dark theme, only the lightness
// of its fill changes sides. Neighbours in this order are far apart on the wheel, as neighbours in a drawing often have
// neighbouring places. The scale means amounts: from the paper's lightness to its opposite, so that more stands out more
// in both themes, and it can be read without seeing colours. Every text has a contrast of 4.5 to 1 to its fill, and every
// outline one of 3 to 1 to the paper (WCAG 2.2; test/emphasis/palette.test.ts).

import type { Paint } from "../model.ts";

export interface Swatch {
  readonly light: Paint;
  readonly dark: Paint;
}

function swatch(light: string, dark: string): Swatch {
  return { light: paint(light), dark: paint(dark) };
}

function paint(colors: string): Paint {
  const [fill, line, text] = colors.split(" ");
  return { fill: fill!, line: line!, text: text! };
}

export const HUES: readonly Swatch[] = [
  swatch("#a3d4fe #0177bc #013050", "#014b79 #5db2f7 #e2f1fe"), // blue
  swatch("#ffbe8a #a65c03 #472400", "#6b3900 #e6964f #feeadb"), // orange
  swatch("#91e3ae #00884d #00381c", "#02572f #5ec386 #e0f5e6"), // green
  swatch("#e9b8ff #9252ad #3e1d4c", "#5c356c #ca91e3 #f6e9fd"), // purple
  swatch("#ded078 #817201 #352e00", "#524802 #beac3d #f3efd9"), // yellow
  swatch("#69e3f0 #0a818b #02353a", "#015259 #04c1d0 #d8f5f8"), // cyan
  swatch("#febab4 #b94642 #521615", "#742e2b #f28881 #fee9e6"), // red
  swatch("#b6dd8f #548100 #203501", "#35520b #8fbb5f #e8f3de"), // lime
  swatch("#c4c9fe #6363c6 #262659", "#3e3f7c #9ba1fb #ebedff"), // indigo
  swatch("#feb4d7 #af467e #4d1634", "#6e2e4f #e887b6 #fee7f1"), // pink
];

/** From little to much. */
export const SCALE: readonly Swatch[] = [
  swatch("#fbedd1 #a1790c #2d1f01", "#402625 #b46767 #ffffff"),
  swatch("#e4bc91 #ae711e #311d03", "#6f4237 #b46957 #ffffff"),
  swatch("#cf885c #b46631 #341a08", "#9f6442 #c37f59 #ffffff"),
  swatch("#b65236 #88341d #ffffff", "#cc8b48 #e7ad74 #361810"),
  swatch("#970525 #5f0415 #ffffff", "#f3b94c #ffe0ad #361717"),
];

/** Categories beyond the hues; several values in one box; none. */
export const OTHER = swatch("#d7d7d7 #777a80 #26292e", "#333333 #8f9298 #e4e8ef");
export const MIXED = swatch("#a7abb1 #55585e #17191c", "#55585e #a7abb1 #ffffff");
export const NONE = swatch("#fafafa #777a80 #26292e", "#1f1f1f #8f9298 #e4e8ef");
