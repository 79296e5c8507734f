// Paints into an SVG: plain elements with presentation attributes, no script, no class, nothing from elsewhere. Labels
// are users' text: all that is not written by this file goes through `escaped`.

import { FONT, type Lettering } from "../layout/measure.ts";
import { BASELINE, type Pen, SOLID } from "./pen.ts";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text for an element or an attribute. What XML forbids, even as an entity, becomes U+FFFD. */
export function escaped(text: string): string {
  const allowed = text.replace(/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, (letter) => (letter === "\n" ? letter : "\uFFFD"));
  return allowed.replace(/[&<>"']/g, (letter) => ENTITIES[letter]!);
}

/** A number with at most two decimals. */
export function rounded(value: number): string {
  return String(Math.round(value * 100) / 100);
}

function numbers(...values: readonly number[]): string {
  return values.map(rounded).join(" ");
}

export class SvgPen implements Pen {
  readonly #parts: string[] = [];
  #path = "";
  #opacity = "";

  moveTo(x: number, y: number): void {
    this.#path += `M${numbers(x, y)}`;
  }

  lineTo(x: number, y: number): void {
    this.#path += `L${numbers(x, y)}`;
  }

  bezierCurveTo(x1: number, y1: number, x2: number, y2: number, x: number, y: number): void {
    this.#path += `C${numbers(x1, y1, x2, y2, x, y)}`;
  }

  roundRect(x: number, y: number, width: number, height: number, radius: number): void {
    const [r, w, h] = [radius, width - 2 * radius, height - 2 * radius];
    const corner = (dx: number, dy: number) => (r > 0 ? `a${numbers(r, r, 0, 0, 1, dx, dy)}` : "");
    this.#path += `M${numbers(x + r, y)}h${rounded(w)}${corner(r, r)}v${rounded(h)}${corner(-r, r)}`;
    this.#path += `h${rounded(-w)}${corner(-r, -r)}v${rounded(-h)}${corner(r, -r)}z`;
  }

  closePath(): void {
    this.#path += "z";
  }

  beginPath(): void {
    this.#path = "";
  }

  fill(color: string): void {
    if (this.#path !== "") this.#parts.push(`<path fill="${escaped(color)}"${this.#opacity} d="${this.#path}"/>`);
  }

  stroke(color: string, width: number, dash = SOLID): void {
    if (this.#path === "") return;
    const dashes = dash.length > 0 ? ` stroke-dasharray="${numbers(...dash)}"` : "";
    const line = `stroke="${escaped(color)}" stroke-width="${rounded(width)}"${dashes}`;
    this.#parts.push(`<path fill="none" ${line}${this.#opacity} d="${this.#path}"/>`);
  }

  write(text: Lettering, x: number, y: number, color: string, from?: "left"): void {
    if (text.text === "") return;
    const place = `x="${rounded(x)}" y="${rounded(y + BASELINE * text.size)}"${from ? "" : ' text-anchor="middle"'}`;
    const font = `font-size="${rounded(text.size)}"${text.bold ? ' font-weight="bold"' : ""}`;
    const length = `textLength="${rounded(text.width)}" lengthAdjust="spacingAndGlyphs"`;
    const paint = `fill="${escaped(color)}"${this.#opacity}`;
    this.#parts.push(`<text ${place} ${font} ${length} ${paint}>${escaped(text.text)}</text>`);
  }

  alpha(share: number): void {
    this.#opacity = share < 1 ? ` opacity="${rounded(share)}"` : "";
  }

  open(tip: () => string): void {
    this.#parts.push(`<g><title>${escaped(tip())}</title>`);
  }

  close(): void {
    this.#parts.push("</g>");
  }

  /** The whole file: what was painted on paper of that size. */
  file(page: { width: number; height: number; margin: number; paper: string; title: string; about: string }): string {
    const { margin } = page;
    const [width, height] = [rounded(page.width + 2 * margin), rounded(page.height + 2 * margin)];
    const corner = rounded(-margin);
    return [
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"`,
      ` viewBox="${corner} ${corner} ${width} ${height}" role="img" font-family="${FONT}" xml:space="preserve">`,
      `<title>${escaped(page.title)}</title><desc>${escaped(page.about)}</desc>`,
      `<rect x="${corner}" y="${corner}" width="${width}" height="${height}" fill="${escaped(page.paper)}"/>\n`,
      this.#parts.join("\n"),
      "\n</svg>\n",
    ].join("");
  }
}
