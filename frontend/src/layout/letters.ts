// How wide a text will be, without a browser: Helvetica's advance widths. Layouts in a worker, in Node and on a page are
// equal that way; a page whose font is wider says so by `letterScale` (see measure.ts).

const FIRST = 32; // the tables reach from the space to "~", in thousandths of an em
const REGULAR =
  table(`278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556
  556 278 278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722
  667 944 667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333
  500 278 556 500 722 500 500 500 334 260 334 584`);
const BOLD =
  table(`278 333 474 556 556 889 722 238 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556
  333 333 584 584 584 611 975 722 722 722 722 667 611 778 722 278 556 722 611 833 722 778 667 778 722 667 611 722 667
  944 667 667 611 333 278 333 584 556 333 556 611 556 611 556 333 611 611 278 278 556 278 889 611 611 611 611 389 556
  333 611 556 778 556 556 500 389 280 389 584`);
const OTHER = 0.6; // Latin with accents, Greek, Cyrillic, "×" and the like: a little above their average
const WIDE =
  /[\u1100-\u115f\u2026\u2190-\u21ff\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f000}-\u{3fffd}]/u;
const WIDTHLESS = /[\p{Mn}\p{Me}\p{Cf}]/u;
const ELLIPSIS = "…";

function table(widths: string): Float64Array {
  return Float64Array.from(widths.trim().split(/\s+/), (width) => Number(width) / 1000);
}

/** Width of a text in pixels; `size` is that of the font. */
export function textWidth(text: string, size: number, bold = false): number {
  const widths = bold ? BOLD : REGULAR;
  let ems = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.codePointAt(at)!;
    ems += widths[code - FIRST] ?? other(String.fromCodePoint(code));
    if (code > 0xffff) at++; // it takes two places
  }
  return ems * size;
}

function other(letter: string): number {
  if (WIDTHLESS.test(letter)) return 0;
  return WIDE.test(letter) ? 1 : OTHER;
}

/** The text with at most so many letters: its middle gives way to an ellipsis, since names differ at both ends. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const letters = [...text];
  if (letters.length <= most) return text;
  const kept = Math.max(0, most - 1);
  const head = Math.ceil(kept / 2);
  return letters.slice(0, head).join("") + ELLIPSIS + letters.slice(letters.length - (kept - head)).join("");
}

/** The text as far as it fits into a width; "" where not even the ellipsis does. */
export function fitted(text: string, size: number, width: number, bold = false): string {
  if (textWidth(text, size, bold) <= width) return text;
  let fits = 0;
  let tooMany = [...text].length;
  while (fits + 1 < tooMany) {
    const middle = (fits + tooMany) >> 1;
    if (textWidth(shortened(text, middle), size, bold) <= width) fits = middle;
    else tooMany = middle;
  }
  return fits === 0 ? "" : shortened(text, fits);
}
