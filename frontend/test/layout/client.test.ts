// Who gets which answer, with a worker that the tests play, and without any.

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { LayoutClient, startWorkersFrom } from "../../src/layout/client.ts";
import { layOut } from "../../src/layout/layout.ts";
import type { Job } from "../../src/layout/worker.ts";
import { picture } from "./pictures.ts";

const ONE = picture({ boxes: 1, arrows: [] });
const TWO = picture({ boxes: 2, arrows: [[0, 1]] });

/** Stands in for a worker, which answers when it is told to. */
class Actor {
  static all: Actor[] = [];
  jobs: Job[] = [];
  terminated = false;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onerror: (() => void) | null = null;

  constructor(readonly address: string) {
    Actor.all.push(this);
  }

  postMessage(job: Job): void {
    this.jobs.push(job);
  }

  terminate(): void {
    this.terminated = true;
  }

  answer(): void {
    const { number, input } = this.jobs.shift()!;
    this.onmessage?.({ data: { number, layout: layOut(input), error: null } });
  }
}

beforeEach(() => {
  Actor.all = [];
  startWorkersFrom("blob:viewer");
  Reflect.set(globalThis, "Worker", Actor);
  mock.timers.enable({ apis: ["setTimeout"] });
});

afterEach(() => {
  Reflect.deleteProperty(globalThis, "Worker");
  mock.timers.reset();
});

const aborted = { name: "AbortError" };

test("a request is answered by the worker, and the next one by the same", async () => {
  const client = new LayoutClient();
  for (const input of [ONE, TWO]) {
    const answer = client.layOut(input);
    Actor.all[0]!.answer();
    assert.deepEqual(await answer, layOut(input));
  }
  assert.deepEqual(
    Actor.all.map(({ address }) => address),
    ["blob:viewer"],
  );
});

test("where nobody told the address of the script, the main thread lays out", async () => {
  startWorkersFrom("");
  const answer = new LayoutClient().layOut(TWO);
  mock.timers.tick(1);
  assert.deepEqual(await answer, layOut(TWO));
  assert.equal(Actor.all.length, 0);
});

test("a newer request supersedes an older one", async () => {
  const client = new LayoutClient();
  const older = assert.rejects(client.layOut(ONE), aborted);
  const newer = client.layOut(TWO);
  await older;
  Actor.all[0]!.answer();
  Actor.all[0]!.answer();
  mock.timers.tick(1000);
  assert.equal((await newer).boxes.length, 4);
  assert.equal(Actor.all.length, 1);
});

test("a worker that stays busy with an outdated request is replaced", async () => {
  const client = new LayoutClient();
  const older = assert.rejects(client.layOut(ONE), aborted);
  const newer = client.layOut(TWO);
  await older;
  mock.timers.tick(301);
  const [first, second] = Actor.all;
  assert.ok(first!.terminated);
  assert.deepEqual(
    second!.jobs.map(({ input }) => input),
    [TWO],
  );
  second!.answer();
  assert.equal((await newer).boxes.length, 4);
});

test("nothing is answered after a cancel, nor after the end", async () => {
  const client = new LayoutClient();
  const cancelled = assert.rejects(client.layOut(ONE), aborted);
  client.cancel();
  await cancelled;
  Actor.all[0]!.answer();
  const ended = assert.rejects(client.layOut(TWO), aborted);
  client.destroy();
  await ended;
  assert.ok(Actor.all[0]!.terminated);
});

test("where no worker starts, the main thread lays out", async () => {
  Reflect.deleteProperty(globalThis, "Worker");
  const client = new LayoutClient();
  const older = assert.rejects(client.layOut(ONE), aborted);
  const newer = client.layOut(TWO);
  mock.timers.tick(1);
  await older;
  assert.deepEqual(await newer, layOut(TWO));
});

test("where a worker fails before its first answer, the main thread takes over for good", async () => {
  const client = new LayoutClient();
  const first = client.layOut(ONE);
  Actor.all[0]!.onerror!();
  mock.timers.tick(1);
  assert.deepEqual(await first, layOut(ONE));
  const second = client.layOut(TWO);
  mock.timers.tick(1);
  assert.deepEqual(await second, layOut(TWO));
  assert.equal(Actor.all.length, 1);
});

test("where a worker fails later, that request fails, and the next one gets a new worker", async () => {
  const client = new LayoutClient();
  const first = client.layOut(ONE);
  Actor.all[0]!.answer();
  await first;
  const second = assert.rejects(client.layOut(TWO), /memory/);
  Actor.all[0]!.onerror!();
  await second;
  const third = client.layOut(TWO);
  Actor.all[1]!.answer();
  assert.deepEqual(await third, layOut(TWO));
});
