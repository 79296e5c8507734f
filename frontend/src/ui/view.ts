// What every panel is given: the state, what can be done, and what is shown.

import type { Actions } from "./actions.ts";
import type { Controller } from "./controller.ts";
import type { Searching } from "./searching.ts";
import type { Stepping } from "./stepping.ts";

export interface View {
  readonly controller: Controller;
  readonly actions: Actions;
  readonly searching: Searching;
  readonly stepping: Stepping;
  /** Of the page, "" where the page is somebody else's. */
  readonly title: string;
  /** Tell those who hear the view. */
  say(sentence: string): void;
  /** Ends all listeners on what outlives the view. */
  readonly signal: AbortSignal;
}

export interface Panel {
  readonly element: HTMLElement;
  /** Show what the state is now. Called often: a panel does nothing where nothing that it shows has changed. */
  update(): void;
}
