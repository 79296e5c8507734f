// Plays the backward pass: a timer that moves `state.step` on while the view can be seen.

import type { Store } from "../state.ts";
import { count } from "../wording.ts";

const TICKS = 8; // a second
const LONGEST = 60; // seconds that a whole backward may take

/** How many nodes run in one tick. */
export function strideOf(size: number): number {
  return Math.max(1, Math.ceil(size / (TICKS * LONGEST)));
}

/** How fast a backward plays, in words. */
export function paceWords(size: number): string {
  const seconds = Math.ceil(size / strideOf(size) / TICKS);
  return `${count(strideOf(size) * TICKS, "node")} a second, ${count(seconds, "second")} in all`;
}

export class Stepping {
  readonly #store: Store;
  readonly #size: number;
  readonly #changed: () => void;
  #timer: ReturnType<typeof setInterval> | undefined;
  #playing = false;
  #visible = true;

  constructor(store: Store, size: number, changed: () => void) {
    [this.#store, this.#size, this.#changed] = [store, size, changed];
  }

  get playing(): boolean {
    return this.#playing;
  }

  /** Step through the backward, or end that. */
  toggle(): void {
    this.#play(false);
    this.#store.set({ step: this.#store.state.step === null ? 0 : null });
  }

  by(nodes: number): void {
    this.to((this.#store.state.step ?? 0) + nodes);
  }

  to(step: number): void {
    this.#store.set({ step: Math.min(this.#size, Math.max(0, step)) });
  }

  /** Play from here, from the start where it is at the end; or pause. */
  togglePlay(): void {
    if (!this.#playing && this.#store.state.step === this.#size) this.to(0);
    this.#play(!this.#playing);
  }

  /** Nothing plays where nobody sees it. */
  setVisible(visible: boolean): void {
    this.#visible = visible;
    this.#run();
  }

  destroy(): void {
    clearInterval(this.#timer);
  }

  #play(playing: boolean): void {
    if (playing === this.#playing) return;
    this.#playing = playing;
    this.#run();
    this.#changed();
  }

  #run(): void {
    clearInterval(this.#timer);
    if (this.#playing && this.#visible) this.#timer = setInterval(() => this.#tick(), 1000 / TICKS);
  }

  #tick(): void {
    const { step } = this.#store.state;
    if (step !== null) this.to(step + strideOf(this.#size));
    if (step === null || this.#store.state.step === this.#size) this.#play(false); // Python may have ended it
  }
}
