// The layers of the sources: what may know of what. Types may be known further up; a program that runs may not.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";

const SOURCES = fileURLToPath(new URL("../../src/", import.meta.url)); // from build/test/
const FILES = readdirSync(SOURCES, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
const TEXTS = new Map(FILES.map((file) => [file, readFileSync(join(SOURCES, file), "utf8")]));

/** The files of `src/` that each file imports; those that it takes only types from are `types`. */
function importsOf(file: string): { values: string[]; types: string[] } {
  const found = { values: [] as string[], types: [] as string[] };
  for (const [, what, from] of TEXTS.get(file)!.matchAll(/^(?:import|export)\b([^;]*?)\bfrom "(\.[^"]+\.ts)";/gm)) {
    const names = what!
      .replace(/[{}]/g, "")
      .split(",")
      .filter((name) => name.trim() !== "");
    const onlyTypes = what!.startsWith(" type ") || names.every((name) => name.trim().startsWith("type "));
    found[onlyTypes ? "types" : "values"].push(normalize(join(dirname(file), from!)));
  }
  return found;
}

/** The folder of a file, or its name where it lies in none: `search.ts` belongs to `search`. */
const layerOf = (file: string): string => file.replace(/\.ts$/, "").split("/")[0]!;

/** What a layer may take programs from, and further ones that it may know the types of. */
const LAYERS: Readonly<Record<string, { readonly values: readonly string[]; readonly types: readonly string[] }>> = {
  payload: { values: ["graph"], types: ["model"] },
  graph: { values: ["gathered", "kept"], types: ["model"] },
  backward: { values: ["kept"], types: ["model"] },
  replay: { values: ["graph", "kept"], types: ["model", "state"] },
  layout: { values: ["gathered"], types: ["model", "scene"] },
  scene: { values: ["gathered", "graph", "kept"], types: ["model", "state"] },
  search: { values: ["backward", "graph", "kept"], types: ["model"] },
  emphasis: {
    values: ["backward", "graph", "kept", "replay", "scene", "search", "wording"],
    types: ["draw", "model", "state"],
  },
  draw: { values: ["gathered", "kept", "layout", "scene"], types: ["model"] },
  hosts: { values: ["payload", "state", "viewer"], types: ["main", "model"] },
};

for (const [layer, { values, types }] of Object.entries(LAYERS)) {
  test(`${layer} knows only what it may`, () => {
    for (const file of FILES.filter((one) => layerOf(one) === layer)) {
      const imports = importsOf(file);
      const known = (allowed: readonly string[]) => (one: string) => [layer, ...allowed].includes(layerOf(one));
      assert.deepEqual(
        imports.values.filter((one) => !known(values)(one)),
        [],
        `${file} runs what it may not`,
      );
      assert.deepEqual(
        imports.types.filter((one) => !known([...values, ...types])(one)),
        [],
        `${file} knows too much`,
      );
    }
  });
}

test("no file comes back to itself through what it imports, types too", () => {
  const state = new Map<string, "on the way" | "done">();
  const walk = (file: string, way: readonly string[]): void => {
    assert.notEqual(state.get(file), "on the way", `a circle: ${[...way, file].join(" -> ")}`);
    if (state.get(file) === "done") return;
    state.set(file, "on the way");
    const { values, types } = importsOf(file);
    for (const next of [...values, ...types]) walk(next, [...way, file]);
    state.set(file, "done");
  };
  for (const file of FILES) walk(file, []);
});

test("no file is long", () => {
  const long = [...TEXTS].filter(([, text]) => text.split("\n").length > 251).map(([file]) => file);
  assert.deepEqual(long, []);
});
