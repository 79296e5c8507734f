// Plays the backward pass: a timer that moves on from moment to moment (replay.ts) while the view can be seen.

import { momentOf, placeAt, type Replay } from "../replay.ts";
import type { Store } from "../state.ts";
import { count } from "../wording.ts";

const TICKS = 8; // a second, at speed 1
export const SPEEDS = [0.125, 0.25, 0.5, 1, 2, 4] as const;
const LONGEST = 60; // seconds that a whole backward may take

/** How many moments pass in one tick. */
export function strideOf(size: number): number {
  return Math.max(1, Math.ceil(size / (TICKS * LONGEST)));
}

/** How fast a backward plays, in words. */
export function paceWords(size: number, speed = 1): string {
  const pace = strideOf(size) * TICKS * speed;
  return `${count(pace, "step")} a second, ${count(Math.ceil(size / pace), "second")} in all`;
}

export class Stepping {
  readonly #store: Store;
  readonly #replay: () => Replay;
  readonly #changed: () => void;
  #timer: ReturnType<typeof setInterval> | undefined;
  #playing = false;
  #visible = true;
  #speed = 1;

  /** `replay` is asked for when it is needed: most views are never played. */
  constructor(store: Store, replay: () => Replay, changed: () => void) {
    [this.#store, this.#replay, this.#changed] = [store, replay, changed];
  }

  get replay(): Replay {
    return this.#replay();
  }

  /** The moment that is shown; 0 where the backward is not stepped through. */
  get moment(): number {
    const { state } = this.#store;
    return state.step === null ? 0 : momentOf(this.replay, state);
  }

  get speed(): number {
    return this.#speed;
  }

  set speed(speed: number) {
    this.#speed = speed;
    this.#run();
    this.#changed();
  }

  get playing(): boolean {
    return this.#playing;
  }

  /** Step through the backward, or end that. */
  toggle(): void {
    this.#play(false);
    this.#store.set({ step: this.#store.state.step === null ? 0 : null });
  }

  by(moments: number): void {
    this.to(this.moment + moments);
  }

  to(moment: number): void {
    this.#store.set(placeAt(this.replay, moment));
  }

  /** Play from here, from the start where it is at the end; or pause. */
  togglePlay(): void {
    if (!this.#playing && (this.#store.state.step === null || this.moment === this.replay.last)) this.to(0);
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
    if (this.#playing && this.#visible) this.#timer = setInterval(() => this.#tick(), 1000 / TICKS / this.#speed);
  }

  #tick(): void {
    const { step } = this.#store.state;
    if (step !== null) this.by(strideOf(this.replay.last));
    if (step === null || this.moment === this.replay.last) this.#play(false); // Python may have ended it
  }
}
