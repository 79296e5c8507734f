// What a watch recorded, in a payload. Whatever points to a node that the graph lacks is damaged: it is not shown as another.

import type { Backward, Contribution, Cut, Effect, Event, Gradient, Turn } from "../model/backward.ts";
import type { Graph } from "../model.ts";
import type { BackwardForm, Column } from "./form.ts";
import { orNull, type Reader, undone } from "./reader.ts";

export function backwardIn(form: BackwardForm, read: Reader, { size, leaves }: Graph): Backward {
  const nodes = (found: readonly number[]): readonly number[] => within(found, size);
  return {
    kind: form.kind,
    where: form.where,
    error: form.error,
    createGraph: form.create_graph,
    scale: form.scale,
    executed: Int32Array.from(each(nodes(undone(form.executed)))),
    gradients: gradientsIn(form, read, nodes),
    effects: effectsIn(form, read, nodes),
    turns: turnsIn(form, read, nodes),
    cuts: cutsIn(form, read, nodes, leaves.length),
    events: eventsIn(form, read),
    event: form.event,
  };
}

function within(places: readonly number[], count: number): readonly number[] {
  if (places.some((place) => !(place >= 0 && place < count))) throw new RangeError("a place that is not there");
  return places;
}

/** No node runs twice in one backward. */
function each(nodes: readonly number[]): readonly number[] {
  if (new Set(nodes).size < nodes.length) throw new RangeError("a node that runs twice");
  return nodes;
}

type Check = (places: readonly number[]) => readonly number[];

function gradientsIn({ gradients: rows, contributions }: BackwardForm, read: Reader, nodes: Check): Gradient[] {
  const parts = contributionsIn(contributions, read, nodes);
  const [slot, norm, largest] = [undone(rows.slot), read.textsOrNull(rows.norm), read.textsOrNull(rows.largest)];
  const [zeros, nonfinite] = [read.textsOrNull(rows.zeros), undone(rows.nonfinite)];
  const counts = undone(rows.contributions);
  let done = 0;
  return nodes(undone(rows.node)).map((node, place) => {
    done += counts[place]!;
    return {
      node,
      slot: slot[place]!,
      norm: norm[place]!,
      largest: largest[place]!,
      zeros: zeros[place]!,
      nonfinite: orNull(nonfinite[place]!),
      contributions: parts.slice(done - counts[place]!, done),
    };
  });
}

function contributionsIn(rows: BackwardForm["contributions"], read: Reader, nodes: Check): Contribution[] {
  const [slot, norm] = [undone(rows.source_slot), read.textsOrNull(rows.norm)];
  return nodes(undone(rows.source)).map((source, place) => ({
    source,
    sourceSlot: slot[place]!,
    norm: norm[place]!,
  }));
}

function effectsIn({ effects: rows }: BackwardForm, read: Reader, nodes: Check): Effect[] {
  const [node, started] = [undone(rows.node), undone(rows.started)];
  const [before, after] = [read.textListsOrNull(rows.before), read.textListsOrNull(rows.after)];
  const [none, removed] = [undone(rows.returned_none), undone(rows.removed)];
  const [registered, words] = [read.textsOrNull(rows.registered), read.texts(rows.words)];
  const reached = listsOf(rows.reached, read, nodes);
  nodes(node.filter((one) => one !== -1));
  return within(undone(rows.hook), read.hooks.length).map((hook, place) => ({
    hook: read.hooks[hook]!,
    node: orNull(node[place]!),
    started: started[place]!,
    before: before[place]!,
    after: after[place]!,
    returnedNone: none[place] === 1,
    removed: removed[place] === 1,
    registered: registered[place]!,
    reached: reached[place]!,
    words: words[place]!,
  }));
}

function turnsIn({ turns: rows }: BackwardForm, read: Reader, nodes: Check): Turn[] {
  const [source, target, slot] = [nodes(undone(rows.source)), nodes(undone(rows.target)), undone(rows.slot)];
  const [before, after] = [read.texts(rows.before), read.texts(rows.after)];
  return read.texts(rows.words).map((words, place) => ({
    source: source[place]!,
    target: target[place]!,
    slot: slot[place]!,
    before: before[place]!,
    after: after[place]!,
    words,
  }));
}

function cutsIn({ cuts: rows }: BackwardForm, read: Reader, nodes: Check, leaves: number): Cut[] {
  const from = listsOf(rows.from, read, nodes);
  const severed = listsOf(rows.leaves, read, (places) => within(places, leaves));
  return read.texts(rows.words).map((words, place) => ({ from: from[place]!, leaves: severed[place]!, words }));
}

function eventsIn({ events: rows }: BackwardForm, read: Reader): Event[] {
  const [step, where, words] = [undone(rows.step), read.textsOrNull(rows.where), read.texts(rows.words)];
  return read.texts(rows.kind).map((kind, place) => ({
    kind,
    step: step[place]!,
    where: where[place]!,
    words: words[place]!,
  }));
}

function listsOf(column: Column, read: Reader, check: Check): (readonly number[])[] {
  return undone(column).map((place) => check(read.numbers(place)));
}
