// The fold tree in a payload.

import { idOf } from "../graph.ts";
import type { DeadEnd, ItemKind, Role, Tree } from "../model.ts";
import type { Payload } from "./form.ts";
import { type Reader, undone } from "./reader.ts";

export function treeIn({ items, members }: Payload, read: Reader, tape: Int32Array, ends: readonly DeadEnd[]): Tree {
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
    members: shared(undone(members), undone(items.members)),
  };
  return { ...tree, key: keys(tree, read.textsOrNull(items.key), tape, ends) };
}

/** Takes a list apart: so many for the first, so many for the next, … */
function shared(all: readonly number[], counts: readonly number[]): (readonly number[])[] {
  let done = 0;
  return counts.map((count) => {
    done += count;
    return all.slice(done - count, done);
  });
}

/**
 * All keys. Sent are those of parts, as far as they do not follow from the parent's (gradviz/view/folding/items.py,
 * `key_inside`); those of other boxes follow from their nodes, and from what they stand beside.
 */
function keys(
  tree: Omit<Tree, "key">,
  sent: readonly (string | null)[],
  tape: Int32Array,
  ends: readonly DeadEnd[],
): string[] {
  const made: string[] = [];
  const ghosts = new Int32Array(tree.size); // so far, by parent
  const drawn = new Int32Array(tree.size);
  for (let item = 0; item < tree.size; item++) {
    const [parent, round, first] = [tree.parent[item]!, tree.round[item]!, tree.members[item]![0]!];
    const place = parent < 0 || round > 0 ? 0 : drawn[parent]!++;
    const kind = tree.kind[item]!;
    let follows: string;
    if (kind === "operation") follows = idOf(tape[tree.start[item]!]!);
    else if (kind === "leaf") follows = `${made[parent]}:${idOf(first)}`;
    else if (kind === "dead_end") follows = `${made[parent]}:${ends[first]!.slot}`;
    else if (kind === "ghost") follows = `${made[parent]}:${ghosts[parent]!++}`;
    else follows = made[parent] + (round > 0 ? `~${round}` : `/${place}`);
    made.push(sent[item] ?? follows);
  }
  return made;
}
