// The fold tree in a payload.

import { idOf } from "../graph.ts";
import type { DeadEnd, ItemKind, Role, Tree } from "../model.ts";
import type { Payload } from "./form.ts";
import { type Reader, undone } from "./reader.ts";

export function treeIn({ items }: Payload, read: Reader, tape: Int32Array, ends: readonly DeadEnd[]): Tree {
  const tree: Omit<Tree, "key"> = {
    size: items.parent.length,
    parent: Int32Array.from(undone(items.parent)),
    kind: read.texts(items.kind) as ItemKind[],
    start: Int32Array.from(undone(items.start)),
    stop: Int32Array.from(undone(items.stop)),
    times: Int32Array.from(undone(items.times)),
    round: Int32Array.from(undone(items.round)),
    open: undone(items.open).map(Boolean),
    role: read.texts(items.role) as Role[],
    label: read.texts(items.label),
    lines: read.textLists(items.lines),
    badges: read.textLists(items.badges),
    frame: read.texts(items.frame),
    members: undone(items.members).map((place) => read.numbers(place)),
  };
  return { ...tree, key: keys(tree, read.textsOrNull(items.key), tape, ends) };
}

/** All keys. Only those of what can be opened are sent; others follow from the node, and from what they stand beside. */
function keys(
  tree: Omit<Tree, "key">,
  sent: readonly (string | null)[],
  tape: Int32Array,
  ends: readonly DeadEnd[],
): string[] {
  const made: string[] = [];
  const ghosts = new Int32Array(tree.size); // so far, by parent
  sent.forEach((key, item) => {
    const [parent, first] = [tree.parent[item]!, tree.members[item]![0]!];
    const beside: Partial<Record<ItemKind, () => string | number>> = {
      leaf: () => idOf(first),
      dead_end: () => ends[first]!.slot,
      ghost: () => ghosts[parent]!++,
    };
    const suffix = beside[tree.kind[item]!];
    made.push(key ?? (suffix === undefined ? idOf(tape[tree.start[item]!]!) : `${made[parent]}:${suffix()}`));
  });
  return made;
}
