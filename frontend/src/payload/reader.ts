// Reads columns. What is stored once is built once: equal texts, metas, hooks and lists are one object in the model,
// however many nodes share it.

import type { Argument, Hook, Meta, Saved } from "../model.ts";
import type { Column, Payload } from "./form.ts";

/** The values of a column: it holds the difference of each to the one before. */
export function undone(column: Column): number[] {
  let value = 0;
  return column.map((difference) => {
    value += difference;
    return value;
  });
}

export const orNull = (number: number): number | null => (number < 0 ? null : number);

/** Reads columns of one payload: whatever they point to is made when the reader is. */
export class Reader {
  readonly metas: readonly Meta[];
  readonly hooks: readonly Hook[];
  readonly arguments: readonly Argument[];
  readonly saved: readonly Omit<Saved, "storage">[];
  readonly #strings: readonly string[];
  readonly #lists: readonly Column[];

  constructor(payload: Payload) {
    this.#strings = payload.strings;
    this.#lists = payload.lists;
    const { metas, hooks, saved } = payload;
    const [dtype, device, layout] = [this.texts(metas.dtype), this.texts(metas.device), this.textsOrNull(metas.layout)];
    this.metas = this.texts(metas.shape).map((shape, place) => {
      return { shape, dtype: dtype[place]!, device: device[place]!, layout: layout[place]! };
    });
    const [owner, name, where] = [this.texts(hooks.owner), this.texts(hooks.name), this.textsOrNull(hooks.where)];
    this.hooks = this.texts(hooks.kind).map((kind, place) => {
      return { kind, owner: owner[place]!, name: name[place]!, where: where[place]! };
    });
    const formulas = this.texts(payload.arguments.formula);
    this.arguments = this.texts(payload.arguments.name).map((name, place) => ({ name, formula: formulas[place]! }));
    const [held, bytes] = [this.metasOrNull(saved.meta), undone(saved.bytes)];
    const [state, hook] = [this.texts(saved.state), this.textsOrNull(saved.hook)];
    this.saved = this.texts(saved.name).map((name, place) => {
      const bytesHeld = orNull(bytes[place]!);
      return { name, meta: held[place]!, bytes: bytesHeld, state: state[place]!, hook: hook[place]! };
    });
  }

  texts(column: Column): string[] {
    return undone(column).map((place) => this.#strings[place]!);
  }

  textsOrNull(column: Column): (string | null)[] {
    return undone(column).map((place) => this.#strings[place] ?? null);
  }

  metasOrNull(column: Column): (Meta | null)[] {
    return undone(column).map((place) => this.metas[place] ?? null);
  }

  /** Lists of texts in which some may be missing. */
  textListsOrNull(column: Column): (readonly (string | null)[])[] {
    return undone(column).map((place) => this.numbers(place).map((text) => this.#strings[text] ?? null));
  }

  textLists(column: Column): (readonly string[])[] {
    return this.lists(column, this.#strings);
  }

  /** Lists of these values; equal places give one and the same list. */
  lists<Value>(column: Column, values: readonly Value[]): (readonly Value[])[] {
    const made = new Map<number, readonly Value[]>();
    return undone(column).map((place) => {
      let list = made.get(place);
      if (list === undefined) {
        list = this.numbers(place).map((value) => values[value]!);
        made.set(place, list);
      }
      return list;
    });
  }

  numbers(place: number): Column {
    return this.#lists[place]!;
  }
}
