// The worker: lays out what it is sent, and answers with the layout, or with what went wrong.

import { PaneCache } from "./cache.ts";
import { layOut } from "./layout.ts";
import type { Layout, LayoutInput } from "./types.ts";

export interface Job {
  readonly number: number;
  readonly input: LayoutInput;
}

export interface Answer {
  readonly number: number;
  readonly layout: Layout | null;
  /** What went wrong. */
  readonly error: string | null;
}

/** Answer every job that this worker is sent. */
export function serve(): void {
  const cache = new PaneCache();
  self.onmessage = ({ data: { number, input } }: MessageEvent<Job>) => {
    self.postMessage(answer(number, input, cache));
  };
}

function answer(number: number, input: LayoutInput, cache: PaneCache): Answer {
  try {
    return { number, layout: layOut(input, cache), error: null };
  } catch (error) {
    return { number, layout: null, error: String(error) };
  }
}
