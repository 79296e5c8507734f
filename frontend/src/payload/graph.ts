// The nodes, edges, leaves and roots in a payload.

import type { Graph, Root } from "../model.ts";
import type { Payload } from "./form.ts";
import { orNull, type Reader, undone } from "./reader.ts";

export function graphIn(payload: Payload, read: Reader): Graph {
  const { nodes, edges, modules } = payload;
  const classes = read.texts(modules.class);
  const op = read.texts(nodes.op);
  return {
    title: payload.title,
    notes: payload.notes,
    size: op.length,
    op,
    kind: read.texts(nodes.kind),
    module: read.textsOrNull(nodes.module),
    inferred: undone(nodes.inferred).map(Boolean),
    where: read.textsOrNull(nodes.where),
    function: read.textsOrNull(nodes.function),
    args: read.lists(nodes.arguments, read.arguments),
    slots: read.lists(nodes.slots, read.metas),
    saved: savedIn(payload, read),
    hooks: read.lists(nodes.hooks, read.hooks),
    order: Int32Array.from(undone(nodes.order)),
    source: Int32Array.from(undone(edges.source)),
    sourceSlot: Int32Array.from(undone(edges.source_slot)),
    target: Int32Array.from(undone(edges.target)),
    targetSlot: Int32Array.from(undone(edges.target_slot)),
    edgeName: read.textsOrNull(edges.name),
    deadEnds: deadEndsIn(payload, read),
    leaves: leavesIn(payload, read),
    roots: rootsIn(payload, read),
    modules: new Map(read.texts(modules.path).map((path, place) => [path, classes[place]!])),
    moduleHooks: undone(payload.module_hooks).map((place) => read.hooks[place]!),
  };
}

/** The saved tensors of each node: records are shared, which storage each is in is not. */
function savedIn(payload: Payload, read: Reader): Graph["saved"] {
  const storages = undone(payload.storages);
  let next = 0;
  return read.lists(payload.nodes.saved, read.saved).map((records) => {
    return records.map((record) => ({ ...record, storage: orNull(storages[next++]!) }));
  });
}

function deadEndsIn({ dead_ends: ends }: Payload, read: Reader): Graph["deadEnds"] {
  const slot = undone(ends.source_slot);
  const [name, tensor, why] = [read.textsOrNull(ends.name), read.textsOrNull(ends.tensor), read.textsOrNull(ends.why)];
  return undone(ends.source).map((source, place) => {
    return { source, slot: slot[place]!, name: name[place]!, tensor: tensor[place]!, why: why[place]! };
  });
}

function leavesIn({ leaves }: Payload, read: Reader): Graph["leaves"] {
  const [aliases, hooks] = [read.textLists(leaves.aliases), read.lists(leaves.hooks, read.hooks)];
  const [meta, grad] = [undone(leaves.meta), read.metasOrNull(leaves.grad)];
  const [parameter, isLeaf] = [undone(leaves.parameter), undone(leaves.is_leaf)];
  const [requires, retains] = [undone(leaves.requires_grad), undone(leaves.retains_grad)];
  const [version, node] = [undone(leaves.version), undone(leaves.node)];
  return read.textsOrNull(leaves.name).map((name, place) => ({
    name,
    aliases: aliases[place]!,
    parameter: parameter[place] === 1,
    meta: read.metas[meta[place]!]!,
    isLeaf: isLeaf[place] === 1,
    requiresGrad: requires[place] === 1,
    retainsGrad: retains[place] === 1,
    grad: grad[place]!,
    version: orNull(version[place]!),
    node: orNull(node[place]!),
    hooks: hooks[place]!,
  }));
}

function rootsIn({ roots }: Payload, read: Reader): Graph["roots"] {
  const [after, kind] = [read.texts(roots.after), read.texts(roots.kind)];
  const [node, slot, meta] = [undone(roots.node), undone(roots.slot), read.metasOrNull(roots.meta)];
  return read.texts(roots.before).map((before, place) => ({
    before,
    after: after[place]!,
    kind: kind[place] as Root["kind"],
    node: node[place]!,
    slot: slot[place]!,
    meta: meta[place]!,
  }));
}
