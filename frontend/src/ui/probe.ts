// What tests of the view in a real browser need: a canvas has no elements to look for. It hangs on the element that the
// view is mounted in, as `element.gradviz`.

import { boxWithKey, groupWithKey } from "../scene/index.ts";
import type { State, Store } from "../state.ts";
import type { Controller } from "./controller.ts";

interface Probe {
  /** Whether what the state asks for is on the screen. */
  readonly ready: boolean;
  readonly store: Store;
  /** Keys of the boxes and frames that are drawn. */
  keys(): string[];
  /** Where a box is, or the title of a frame, in the window; null where it is not drawn. */
  screenOf(key: string): { x: number; y: number } | null;
  state(): State;
}

const INTO_TITLE = { x: 46, y: 12 } as const; // from a frame's corner, right of its [−], in units of the drawing

export function probe(element: HTMLElement, controller: Controller, signal: AbortSignal): void {
  const host = element as HTMLElement & { gradviz?: Probe };
  host.gradviz = {
    get ready() {
      return controller.settled;
    },
    store: controller.store,
    keys() {
      const scene = controller.drawing?.scene;
      return scene === undefined ? [] : [...scene.boxes, ...scene.groups].map(({ key }) => key);
    },
    screenOf: (key) => placeOf(controller, key),
    state: () => controller.state,
  };
  signal.addEventListener("abort", () => delete host.gradviz);
}

function placeOf({ drawing, stage }: Controller, key: string): { x: number; y: number } | null {
  if (drawing === null) return null;
  const box = boxWithKey(drawing.scene, key);
  if (box >= 0) return stage.screenOf(box);
  const group = groupWithKey(drawing.scene, key);
  if (group < 0) return null;
  const { left, top, width, height } = stage.canvas.getBoundingClientRect();
  const { x, y, scale } = stage.view();
  const [frameLeft, frameTop] = [drawing.layout.groups[4 * group]!, drawing.layout.groups[4 * group + 1]!];
  return {
    x: left + width / 2 + (frameLeft + INTO_TITLE.x - x) * scale,
    y: top + height / 2 + (frameTop + INTO_TITLE.y - y) * scale,
  };
}
