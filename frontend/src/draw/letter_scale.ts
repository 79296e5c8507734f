// How wide this browser's font is. Boxes are measured with Helvetica's widths (layout/letters.ts); another font is drawn
// where there is no Helvetica, and boxes have to be as much wider as its letters are.

import { FONT, textWidth } from "../layout/measure.ts";

const SAMPLES = [
  "AddmmBackward0",
  "encoder.layers.0.self_attn.in_proj_weight",
  "BinaryCrossEntropyWithLogitsBackward0",
  "(64, 128, 768)",
  "block: TransformerEncoderLayer",
];
const SIZE = 100;
const MOST = 1.6;

/** At least 1, so that equal graphs are laid out equally wherever the font is not wider. */
export function letterScaleOf(context: CanvasRenderingContext2D): number {
  let scale = 1;
  context.save();
  for (const bold of [false, true]) {
    context.font = `${bold ? "bold " : ""}${SIZE}px ${FONT}`;
    for (const sample of SAMPLES) {
      scale = Math.max(scale, context.measureText(sample).width / textWidth(sample, SIZE, bold));
    }
  }
  context.restore();
  // A hair wider does not matter; rounded, so that equal fonts give equal layouts.
  return scale < 1.01 ? 1 : Math.min(MOST, Math.ceil(scale * 100) / 100);
}
