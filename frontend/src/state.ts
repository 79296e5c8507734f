// The state of a view: everything that a person or Python can change, in one place. Plain values that JSON can hold, so
// that a host can keep it in step with another view (see hosts/).

export type FoldState = Readonly<Record<string, "open" | "closed" | "unrolled">>;
export type ColorBy = "role" | "module" | "device" | "dtype" | "saved" | "gradient";

/** What stands out: all that gradient to or from a node passes, or every path between two. Ids are nodes ("n12"). */
export interface Highlight {
  readonly kind: "upstream" | "downstream" | "both" | "between";
  readonly ids: readonly string[];
}

export interface State {
  /** Ids of the selected nodes. */
  readonly selected: readonly string[];
  /** What was picked last, where the keys are: the key of a box or frame, or two and how they join (ui/focus.ts). */
  readonly focus: string | null;
  /** Only what differs from how the tree opens at first. */
  readonly folds: FoldState;
  readonly colorBy: ColorBy;
  readonly highlight: Highlight | null;
  /** How many nodes of the backward have run; null while it is not being stepped through. */
  readonly step: number | null;
  /** How many hooks have run since the last node started; null: all that run before the next one (replay.ts). */
  readonly fired: number | null;
  readonly query: string;
  readonly theme: "auto" | "light" | "dark";
}

export const INITIAL: State = {
  selected: [],
  focus: null,
  folds: {},
  colorBy: "role",
  highlight: null,
  step: null,
  fired: null,
  query: "",
  theme: "auto",
};

type Listener = (state: State, before: State) => void;

/** Holds a state, and tells its listeners of each change once. */
export class Store {
  #state: State;
  readonly #listeners = new Set<Listener>();

  constructor(initial: Partial<State> = {}) {
    this.#state = { ...INITIAL, ...initial };
  }

  get state(): State {
    return this.#state;
  }

  /**
   * Change some of it. Nothing is told where all values stay what they are (compared as JSON). Who selects other nodes
   * and does not say what is picked (Python) picks nothing; who steps on by nodes is past their hooks.
   */
  set(change: Partial<State>): void {
    const before = this.#state;
    const keys = (Object.keys(change) as (keyof State)[]).filter((key) => differs(change[key], before[key]));
    if (keys.length === 0) return;
    this.#state = {
      ...before,
      ...(keys.includes("selected") && { focus: null }),
      ...(keys.includes("step") && { fired: null }),
      ...change,
    };
    for (const listener of [...this.#listeners]) listener(this.#state, before);
  }

  /** Call the listener after every change. Returns what ends that. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** Whether two values of a state differ, compared as JSON. */
export function differs(one: unknown, other: unknown): boolean {
  return one !== other && JSON.stringify(one) !== JSON.stringify(other);
}
