// However a widget ends, everything ends once, and nothing that was changed is lost.

import assert from "node:assert/strict";
import { test } from "node:test";
import { widget } from "../../src/hosts/widget.ts";
import type { Model } from "../../src/model.ts";
import type { Store } from "../../src/state.ts";
import { FakeTraits } from "./traits.ts";

class Place {
  readonly style = { height: "" };
  readonly inside: Place[] = [];
  removed = 0;
  append(place: Place): void {
    this.inside.push(place);
  }
  remove(): void {
    this.removed++;
  }
}

function started() {
  (globalThis as Record<string, unknown>).document = { createElement: () => new Place() };
  const traits = new FakeTraits();
  const done = { read: 0, shown: [] as Store[], ended: 0 };
  const frames: (() => void)[] = [];
  const parts = widget({
    decode: async () => {
      done.read++;
      return {} as Model;
    },
    show: (_, __, store) => {
      done.shown.push(store);
      return () => done.ended++;
    },
    nextFrame: (act) => frames.push(act),
  });
  const release = parts.initialize({ model: traits });
  const render = () => {
    const el = new Place();
    const end = parts.render({ model: traits, el: el as unknown as HTMLElement });
    return { end, place: el.inside[0]! };
  };
  const listeners = (): number => [...traits.listeners.values()].reduce((sum, { size }) => sum + size, 0);
  return { traits, done, release, render, listeners };
}

const read = (): Promise<void> => new Promise((then) => setImmediate(then));

test("all places share one graph and one store, and a place that ended shows nothing", async () => {
  const { done, render } = started();
  render();
  render();
  render().end();
  await read();
  assert.equal(done.read, 1);
  assert.deepEqual([done.shown.length, done.shown[0] === done.shown[1]], [2, true]);
});

test("a graph that is shown nowhere is read again", async () => {
  const { done, render } = started();
  const { end } = render();
  await read();
  end();
  end();
  render();
  await read();
  assert.deepEqual([done.read, done.shown.length, done.ended], [2, 2, 1]);
});

for (const [order, finish] of [
  ["the widget first", (release: () => void, ends: (() => void)[]) => [release, ...ends]],
  ["its places first", (release: () => void, ends: (() => void)[]) => [...ends, release]],
  ["in between", (release: () => void, [one, ...others]: (() => void)[]) => [one!, release, ...others]],
] as const) {
  test(`everything ends once, though each is told twice: ${order}`, async () => {
    const { traits, done, release, render, listeners } = started();
    const places = [render(), render()];
    await read();
    done.shown[0]!.set({ step: 3 });
    assert.deepEqual([traits.values.step, traits.saved], [3, 0]);
    const calls = finish(
      release,
      places.map(({ end }) => end),
    );
    for (const call of [...calls, ...calls]) call();
    assert.deepEqual([done.ended, traits.saved, listeners()], [2, 1, 0]);
    assert.deepEqual(
      places.map(({ place }) => place.removed),
      [1, 1],
    );
  });
}

test("a widget that ended before its graph was read shows nothing", async () => {
  const { done, release, render } = started();
  render();
  release();
  await read();
  assert.equal(done.shown.length, 0);
});
