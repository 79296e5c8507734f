// The viewer as anywidget runs it. One widget may be shown at several places: they share the graph, which is read as soon
// as the widget exists, and one store, so they are always in step.

import type { Model } from "../model.ts";
import { decode } from "../payload.ts";
import type { Store } from "../state.ts";
import { mount, showProblem } from "../viewer.ts";
import { inStep, type Traits } from "./sync.ts";

interface Shared {
  readonly model: Promise<Model>;
  readonly store: Store;
  readonly stop: () => void;
}

/** anywidget calls this once for each widget, and what it returns once for each place where that is shown. */
export function widget() {
  let shared: Shared | null = null;
  let shown = 0;
  const share = (traits: Traits): Shared => {
    shared ??= { model: decode(bytesOf(traits.get("payload"))), ...inStep(traits, requestAnimationFrame) };
    shared.model.catch(() => undefined); // `render` tells it
    return shared;
  };
  const release = (): void => {
    if (shown > 0) return;
    shared?.stop();
    shared = null;
  };
  return {
    initialize({ model }: { model: Traits }) {
      share(model);
      return release;
    },
    render({ model, el }: { model: Traits; el: HTMLElement }) {
      const { model: reading, store } = share(model);
      const place = document.createElement("div");
      const resize = (): void => {
        place.style.height = `${model.get("height")}px`;
      };
      resize();
      model.on("change:height", resize);
      el.append(place);
      shown++;
      let end = (): void => {};
      let gone = false;
      reading.then(
        (graph) => {
          if (!gone) end = show(place, graph, store);
        },
        (error: unknown) => showProblem(place, sentenceOf(error)),
      );
      return () => {
        gone = true;
        end();
        place.remove();
        model.off("change:height", resize);
        shown--;
      };
    },
  };
}

function show(place: HTMLElement, graph: Model, store: Store): () => void {
  try {
    const viewer = mount(place, graph, { store, wheel: "focused", height: "100%" });
    return () => viewer.destroy();
  } catch (error) {
    showProblem(place, sentenceOf(error));
    return () => {};
  }
}

/** The bytes of a trait, copied: a DataView may begin anywhere in a message. */
function bytesOf(value: unknown): Uint8Array {
  if (!ArrayBuffer.isView(value)) return new Uint8Array();
  return new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice();
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
