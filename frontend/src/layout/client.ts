// The layout as the page asks for it: in a worker where one can run, else on the main thread.
//
// Only the newest request is answered; an older one rejects with an AbortError. The worker stays, with all that it has
// laid out before, unless it is busy for long with what nobody waits for: then a new one takes its place.

import { PaneCache } from "./cache.ts";
import { layOut } from "./layout.ts";
import type { Layout, LayoutInput } from "./types.ts";
import type { Answer, Job } from "./worker.ts";

const PATIENCE = 300; // milliseconds that an outdated job may keep the worker

interface Request {
  readonly job: Job;
  readonly resolve: (layout: Layout) => void;
  readonly reject: (error: Error) => void;
}

let script = "";

/** Start workers from this address: that of the whole viewer, see main.ts. Without one the main thread lays out. */
export function startWorkersFrom(address: string): void {
  script = address;
}

export class LayoutClient {
  #worker: Worker | null = null;
  /** Whether workers run on this page; null as long as that is not known. */
  #works: boolean | null = null;
  /** For the main thread. */
  #cache: PaneCache | null = null;
  #request: Request | null = null;
  #number = 0;
  /** Jobs that the worker has not answered yet, and since when it has been at the first of them. */
  #jobs = 0;
  #since = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  layOut(input: LayoutInput): Promise<Layout> {
    this.cancel();
    return new Promise((resolve, reject) => {
      this.#number++;
      this.#request = { job: { number: this.#number, input }, resolve, reject };
      this.#send(this.#request);
    });
  }

  /** The request that has not been answered rejects. */
  cancel(): void {
    const request = this.#request;
    this.#request = null;
    if (this.#jobs > 0) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#replace(), Math.max(0, this.#since + PATIENCE - performance.now()));
    }
    request?.reject(new DOMException("Another layout is wanted now, or none.", "AbortError"));
  }

  /** Frees the worker. A later request would start a new one. */
  destroy(): void {
    this.cancel();
    this.#stop();
    this.#cache = null;
  }

  #send(request: Request): void {
    this.#worker ??= script === "" || this.#works === false ? null : this.#start();
    if (this.#worker === null) {
      setTimeout(() => this.#here(request)); // lets the page show first that it is busy
      return;
    }
    if (this.#jobs === 0) this.#since = performance.now();
    this.#jobs++;
    this.#worker.postMessage(request.job);
  }

  #start(): Worker | null {
    try {
      const worker = new Worker(script);
      worker.onmessage = ({ data }: MessageEvent<Answer>) => this.#answered(data);
      worker.onerror = () => this.#failed();
      return worker;
    } catch {
      this.#works = false; // the page's policy may forbid workers or Blob URLs
      return null;
    }
  }

  #stop(): void {
    clearTimeout(this.#timer);
    if (this.#worker === null) return;
    this.#worker.onmessage = null;
    this.#worker.onerror = null;
    this.#worker.terminate();
    this.#worker = null;
    this.#jobs = 0;
  }

  /** The worker has been busy for long with an outdated job: start anew with the newest request. */
  #replace(): void {
    const outdated = this.#request === null ? this.#jobs > 0 : this.#jobs > 1;
    if (!outdated) return;
    this.#stop();
    if (this.#request !== null) this.#send(this.#request);
  }

  #answered({ number, layout, error }: Answer): void {
    this.#works = true;
    this.#jobs--;
    this.#since = performance.now();
    const request = this.#request;
    if (request?.job.number !== number) return;
    this.#request = null;
    clearTimeout(this.#timer);
    if (layout !== null) request.resolve(layout);
    else request.reject(new Error(error ?? ""));
  }

  /** A worker that fails before its first answer cannot run here at all; one that worked before has hit a limit. */
  #failed(): void {
    this.#stop();
    const request = this.#request;
    if (this.#works === null) {
      this.#works = false;
      if (request !== null) this.#send(request);
      return;
    }
    this.#request = null;
    request?.reject(new Error("The layout failed in its worker: perhaps there was not enough memory."));
  }

  #here(request: Request): void {
    if (this.#request !== request) return;
    this.#request = null;
    this.#cache ??= new PaneCache();
    try {
      request.resolve(layOut(request.job.input, this.#cache));
    } catch (error) {
      request.reject(error instanceof Error ? error : new Error(String(error)));
    }
  }
}
