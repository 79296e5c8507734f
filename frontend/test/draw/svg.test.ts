import assert from "node:assert/strict";
import test from "node:test";
import { pngScale, toSvg } from "../../src/draw/export.ts";
import { faded, PLAIN } from "../../src/draw/paints.ts";
import { Plan } from "../../src/draw/plan.ts";
import { escaped, rounded, SvgPen } from "../../src/draw/svg_pen.ts";
import type { Drawing, Emphasis } from "../../src/draw/types.ts";
import { columnOfRoles, LOOKS, ROLES, smallDrawing } from "./drawing.ts";
import { all, readXml, textOf } from "./xml.ts";

const HOSTILE = [
  "</text><script>alert(1)</script>",
  "\"onload='x' & &amp; &#0;",
  "]]><!-- --><![CDATA[",
  "\u0000\u0007\u001b\u007f\u0085 \ud800 \ufffe\uffff",
  "日本語 🙂 \u202e",
];

function svgOf(drawing: Drawing, emphasis: Partial<Emphasis> = {}, theme: "light" | "dark" = "light"): string {
  const plan = new Plan(drawing, LOOKS, 1);
  return toSvg({ plan, theme, emphasis: { ...PLAIN, ...emphasis } });
}

test("text is escaped, and what XML forbids is replaced", () => {
  assert.equal(escaped(`<a b="c">&'`), "&lt;a b=&quot;c&quot;&gt;&amp;&#39;");
  assert.equal(escaped("a\u0000b\u001bc\ud83dd\ufffe"), "a\uFFFDb\uFFFDc\uFFFDd\uFFFD");
  assert.equal(escaped("two\nlines 🙂"), "two\nlines 🙂");
});

test("numbers have at most two decimals and no minus zero", () => {
  assert.deepEqual([1 / 3, 2, -0.001, 1e-9, -12.345678].map(rounded), ["0.33", "2", "0", "0", "-12.35"]);
});

test("the pen writes plain elements", () => {
  const pen = new SvgPen();
  pen.beginPath();
  pen.roundRect(1, 2, 30, 20, 5);
  pen.fill("#abc");
  pen.alpha(0.5);
  pen.beginPath();
  pen.moveTo(0, 0);
  pen.bezierCurveTo(1, 2, 3, 4, 5, 6);
  pen.stroke("red", 1.5, [5, 3]);
  pen.write({ text: "a<b", size: 10, bold: true, width: 18 }, 7, 8, "blue");
  const file = pen.file({ width: 10, height: 20, margin: 2, paper: "#fff", title: "t", about: "d" });
  assert.deepEqual(file.split("\n").slice(1, -2), [
    '<path fill="#abc" d="M6 2h20a5 5 0 0 1 5 5v10a5 5 0 0 1 -5 5h-20a5 5 0 0 1 -5 -5v-10a5 5 0 0 1 5 -5z"/>',
    '<path fill="none" stroke="red" stroke-width="1.5" stroke-dasharray="5 3" opacity="0.5" d="M0 0C1 2 3 4 5 6"/>',
    '<text x="7" y="11.5" text-anchor="middle" font-size="10" font-weight="bold" textLength="18" ' +
      'lengthAdjust="spacingAndGlyphs" fill="blue" opacity="0.5">a&lt;b</text>',
  ]);
});

test("a file of hostile labels is well-formed and says what they say", () => {
  for (const label of HOSTILE) {
    const svg = readXml(svgOf(smallDrawing(label, label)));
    assert.equal(svg.name, "svg");
    const allowed = new Set(["svg", "title", "desc", "rect", "path", "text", "g"]);
    const names = [...allowed].flatMap((name) => all(svg, name)).length;
    assert.equal(names, [...svgOf(smallDrawing(label, label)).matchAll(/<[a-z]/g)].length, "no other elements");
    assert.ok(
      all(svg, "title").some((title) =>
        textOf(title).includes(readXml(`<a>${escaped(label)}</a>`).children[0] as string),
      ),
    );
  }
});

test("a file has its size, a name, a description, its paper and a tooltip for each box", () => {
  const svg = readXml(svgOf(smallDrawing("AddBackward0"), {}, "dark"));
  assert.equal(svg.attributes.get("viewBox"), "-16 -16 672 412");
  assert.equal(svg.attributes.get("width"), "672");
  assert.equal(svg.attributes.get("role"), "img");
  assert.equal(textOf(all(svg, "desc")[0]!), "4 boxes and 4 arrows; the gradient flows down.");
  assert.equal(all(svg, "rect")[0]!.attributes.get("fill"), "dark-paper");
  assert.equal(all(svg, "g").length, 4);
  assert.equal(textOf(all(all(svg, "g")[1]!, "title")[0]!), "AddBackward0\nAddBackward0\nhook");
});

test("nothing in a file leads elsewhere or needs a style sheet", () => {
  assert.doesNotMatch(svgOf(smallDrawing()), /href|url\(|class=|style=|<script|<style|NaN|undefined|Infinity/);
});

test("boxes that stand back have faded colours, and colours can be replaced", () => {
  const paint = { fill: "#123456", line: "#234567", text: "#345678" };
  const dim = { ...paint, fill: "#654321" };
  const looks = { ...LOOKS, light: { ...LOOKS.light, paper: "#ffffff", text: "#000000" } };
  const emphasis = { ...PLAIN, dimBoxes: Uint8Array.of(0, 0, 0, 1), paints: [paint, null, null, dim] };
  const svg = toSvg({ plan: new Plan(smallDrawing(), looks, 1), theme: "light", emphasis });
  assert.match(svg, /<path fill="#123456" d=/);
  assert.match(svg, new RegExp(`<path fill="${faded(dim, looks.light).fill}" d=`), "opaque: no arrow shines through");
  assert.doesNotMatch(svg, /#654321/);
  assert.doesNotMatch(svg, /root-light-fill/);
});

test("a file has nothing that could only be pressed", () => {
  // A [+] or [−] is two paths and a button one with its words; titles stand where they stand on the screen.
  const texts = all(readXml(svgOf(smallDrawing())), "text");
  assert.ok(!texts.map(textOf).includes("all rounds"));
  const title = texts.find((text) => textOf(text) === "block: Block")!;
  assert.equal(Number(title.attributes.get("x")), 200 + new Plan(smallDrawing(), LOOKS, 1).header(0).titleX);
  assert.doesNotMatch(svgOf(smallDrawing()), /v13a|h6a3\.5/, "no square with round corners");
});

test("search marks of boxes that stand back stand back too", () => {
  const svg = svgOf(smallDrawing(), { found: Uint8Array.of(1, 0, 0, 1), dimBoxes: Uint8Array.of(0, 0, 0, 1) });
  const marks = [...svg.matchAll(/stroke="hook-line" stroke-width="2.5"( opacity="0.25")?/g)];
  assert.deepEqual(
    marks.map(([, pale]) => pale !== undefined),
    [false, true],
  );
});

test("arrows of what is selected are drawn in the accent's colour, after the others", () => {
  const svg = svgOf(smallDrawing(), { selected: Uint8Array.of(0, 0, 0, 1) });
  const lines = [...svg.matchAll(/stroke="(arrow|accent)" stroke-width="([\d.]+)"[^>]* d="M(\d+ \d+)[CL]/g)];
  assert.deepEqual(
    lines.filter(([, , , from]) => from === "300 220").map(([, color, width]) => `${color} ${width}`),
    ["arrow 1.95", "accent 2"],
  );
});

test("highlighted paths are drawn in the accent's colour, the other arrows pale", () => {
  const svg = svgOf(smallDrawing(), { dimArrows: Uint8Array.of(0, 1, 1, 1) });
  const lines = [...svg.matchAll(/stroke="(arrow|accent)" stroke-width="([\d.]+)"[^>]* d="M300 (60|220)[CL]/g)];
  assert.deepEqual(
    lines.map(([line, color, width]) => [color, width, line.includes("opacity")]),
    [
      ["arrow", "1.95", true],
      ["arrow", "1.2", true],
      ["accent", "2", false],
    ],
  );
});

test("no two roles look alike without colours", () => {
  const groups = all(readXml(svgOf(columnOfRoles())), "g");
  const shapes = groups.map((group) => {
    const paths = all(group, "path").slice(0, 3); // the badge comes later
    return paths.map(({ attributes }) => [
      attributes.get("d")!.replace(/[\d. -]+/g, "#"),
      attributes.get("stroke-dasharray"),
      attributes.get("stroke-width"),
    ]);
  });
  assert.equal(new Set(shapes.map((shape) => JSON.stringify(shape))).size, ROLES.length);
});

test("a PNG is twice as large as long as browsers can make it", () => {
  assert.equal(pngScale(1000, 1000), 2);
  assert.equal(pngScale(20_000, 100), 1.6);
  const scale = pngScale(20_000, 20_000);
  assert.ok(Math.abs((20_000 * scale) ** 2 - 50_000_000) < 1);
});
