// The viewer as anywidget runs it. One widget may be shown at several places: they share the graph, which is read as soon
// as the widget exists, and one store, so they are always in step. A widget lives as long as its kernel, however often its
// cell is run again: while it is shown nowhere it holds no graph.

import type { Model } from "../model.ts";
import { decode } from "../payload.ts";
import type { Store } from "../state.ts";
import { mount, showProblem } from "../viewer.ts";
import { inStep, type Traits } from "./sync.ts";

/** What a widget needs of the world around: tests give their own. */
export interface Surface {
  decode(payload: Uint8Array): Promise<Model>;
  /** Show a graph; returns what ends that. */
  show(place: HTMLElement, graph: Model, store: Store): () => void;
  nextFrame(act: () => void): void;
}

/** anywidget calls this once for each widget, and what it returns once for each place where that is shown. */
export function widget(surface: Surface = BROWSER) {
  const shown = new Set<() => void>(); // what ends each place
  let shared: ReturnType<typeof inStep> | null = null;
  let graph: Promise<Model> | null = null;
  const share = (traits: Traits): Store => {
    shared ??= inStep(traits, surface.nextFrame);
    return shared.store;
  };
  const read = (traits: Traits): Promise<Model> => {
    graph ??= surface.decode(bytesOf(traits.get("payload")));
    graph.catch(() => undefined); // `render` tells it
    return graph;
  };
  /** The widget has ended: so do the places where it is still shown. What they changed last is sent. */
  const release = (): void => {
    for (const end of [...shown]) end();
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
      const store = share(model);
      const place = document.createElement("div");
      const resize = (): void => {
        place.style.height = `${model.get("height")}px`;
      };
      resize();
      model.on("change:height", resize);
      el.append(place);
      let close = (): void => {};
      /** anywidget may call it after `release`, and again: only the first call does something. */
      const end = (): void => {
        if (!shown.delete(end)) return;
        close();
        place.remove();
        model.off("change:height", resize);
        if (shown.size === 0) graph = null;
      };
      shown.add(end);
      read(model).then(
        (found) => {
          if (shown.has(end)) close = surface.show(place, found, store);
        },
        (error: unknown) => shown.has(end) && showProblem(place, error),
      );
      return end;
    },
  };
}

const BROWSER: Surface = {
  decode,
  nextFrame: (act) => requestAnimationFrame(act),
  show(place, graph, store) {
    try {
      const viewer = mount(place, graph, { store, wheel: "focused", height: "100%" });
      return () => viewer.destroy();
    } catch (error) {
      showProblem(place, error);
      return () => {};
    }
  },
};

/** The bytes of a trait, copied: a DataView may begin anywhere in a message. */
function bytesOf(value: unknown): Uint8Array {
  if (!ArrayBuffer.isView(value)) return new Uint8Array();
  return new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice();
}
