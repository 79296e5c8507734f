// Saves what is drawn as a file.

import type { Stage } from "../draw/stage.ts";
import { reasonOf } from "./sentences.ts";
import type { View } from "./view.ts";

const LONGEST = 80; // letters: file systems take 255 bytes

export function saveSvg(view: View): Promise<void> {
  return save(view, "svg", async (stage) => new Blob([stage.svg()], { type: "image/svg+xml" }));
}

export function savePng(view: View): Promise<void> {
  return save(view, "png", (stage) => stage.png());
}

/** The name of a file without its ending: the words of a title. */
export function fileName(title: string): string {
  const words = title.match(/[\p{L}\p{N}]+/gu) ?? ["backward-graph"];
  return words.join("-").slice(0, LONGEST);
}

async function save(
  { controller, title, say }: View,
  ending: string,
  draw: (stage: Stage) => Promise<Blob>,
): Promise<void> {
  const link = document.createElement("a");
  link.download = `${fileName(title)}.${ending}`;
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
