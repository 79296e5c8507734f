// Saves what is drawn as a file.

import type { Stage } from "../draw/stage.ts";
import { reasonOf } from "./sentences.ts";
import type { View } from "./view.ts";

export function saveSvg(view: View): Promise<void> {
  return save(view, "svg", async (stage) => new Blob([stage.svg()], { type: "image/svg+xml" }));
}

export function savePng(view: View): Promise<void> {
  return save(view, "png", (stage) => stage.png());
}

async function save({ controller, say }: View, ending: string, draw: (stage: Stage) => Promise<Blob>): Promise<void> {
  const link = document.createElement("a");
  link.download = `backward-graph.${ending}`;
  try {
    link.href = URL.createObjectURL(await draw(controller.stage));
  } catch (error) {
    say(`${link.download} could not be made: ${reasonOf(error)}`);
    return;
  }
  link.click();
  URL.revokeObjectURL(link.href);
  say(`Saved ${link.download}.`);
}
