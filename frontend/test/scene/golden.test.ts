// The scene that Python composes of a graph is the scene that the viewer shows of its payload at first sight.

import assert from "node:assert/strict";
import test from "node:test";
import { compose } from "../../src/scene/compose.ts";
import type { Scene } from "../../src/scene/types.ts";
import { golden } from "../golden.ts";

/** A scene as the golden files have it: everything by key. */
function plain({ boxes, arrows, groups }: Scene): unknown {
  const keyOf = (group: number): string | null => (group < 0 ? null : groups[group]!.key);
  return {
    boxes: boxes.map(({ key, role, label, lines, badges, nodes, group }) => {
      return { key, role, title: label, lines, badges, nodes: nodes.map((node) => `n${node}`), group: keyOf(group) };
    }),
    arrows: arrows.map(({ source, target, label, edges, again }) => {
      return { source: boxes[source]!.key, target: boxes[target]!.key, label, edges, again };
    }),
    groups: groups.map(({ key, parent, kind, title, times }) => ({ key, parent: keyOf(parent), kind, title, times })),
  };
}

for (const { file, model, scene } of golden()) {
  test(`the scene of ${file} is Python's`, () => {
    const composed = plain(compose(model, {})) as Record<string, unknown>;
    for (const part of ["boxes", "arrows", "groups"]) assert.deepEqual(composed[part], scene[part], part);
  });
}
