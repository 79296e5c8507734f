// The viewer as anywidget runs it. One widget may be shown at several places: they share the graph, which is read as soon
// as the widget exists, and one store, so they are always in step. A widget lives as long as its kernel, however often its
// cell is run again: while it is shown nowhere it holds no graph.

import type { Model } from "../model.ts";
import { decode } from "../payload.ts";
import type { Store } from "../state.ts";
import { mount, showProblem } from "../viewer.ts";
import { inStep, type Traits } from "./sync.ts";

interface Shared {
  readonly store: Store;
  readonly stop: () => void;
}

/** anywidget calls this once for each widget, and what it returns once for each place where that is shown. */
export function widget() {
  let shared: Shared | null = null;
  let graph: Promise<Model> | null = null;
  let shown = 0;
  const share = (traits: Traits): Shared => {
    shared ??= inStep(traits, requestAnimationFrame);
    return shared;
  };
  const read = (traits: Traits): Promise<Model> => {
    graph ??= decode(bytesOf(traits.get("payload")));
    graph.catch(() => undefined); // `render` tells it
    return graph;
  };
  const release = (): void => {
    if (shown > 0) return;
    shared?.stop();
    shared = graph = null;
  };
  return {
    initialize({ model }: { model: Traits }) {
      share(model);
      void read(model);
      return release;
    },
    render({ model, el }: { model: Traits; el: HTMLElement }) {
      const { store } = share(model);
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
      read(model).then(
        (found) => {
          if (!gone) end = show(place, found, store);
        },
        (error: unknown) => showProblem(place, error),
      );
      return () => {
        gone = true;
        end();
        place.remove();
        model.off("change:height", resize);
        if (--shown === 0) graph = null;
      };
    },
  };
}

function show(place: HTMLElement, graph: Model, store: Store): () => void {
  try {
    const viewer = mount(place, graph, { store, wheel: "focused", height: "100%" });
    return () => viewer.destroy();
  } catch (error) {
    showProblem(place, error);
    return () => {};
  }
}

/** The bytes of a trait, copied: a DataView may begin anywhere in a message. */
function bytesOf(value: unknown): Uint8Array {
  if (!ArrayBuffer.isView(value)) return new Uint8Array();
  return new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice();
}
