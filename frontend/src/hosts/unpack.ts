// What a host really holds: the viewer compressed, and this, which unpacks it. A notebook stores the whole script once for
// each widget, and a page carries it, so its size matters.
//
// `build.mjs` puts in PACKED (main.ts, deflated, in base64) and VIEWER (a name that changes with it). All widgets of a
// notebook share one unpacked viewer: running a cell again must not load it again.

import type * as Viewer from "../main.ts";

declare const PACKED: string;
declare const VIEWER: string;

export function unpacked(): Promise<typeof Viewer> {
  const shared = globalThis as unknown as Record<string, Promise<typeof Viewer> | undefined>;
  shared[VIEWER] ??= load();
  return shared[VIEWER];
}

async function load(): Promise<typeof Viewer> {
  if (typeof DecompressionStream === "undefined") {
    throw new Error(
      "it has no DecompressionStream. Chrome 80, Firefox 113 and Safari 16.4 are the first that have it.",
    );
  }
  const bytes = Uint8Array.from(atob(PACKED), (letter) => letter.charCodeAt(0));
  const text = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
  const viewer: typeof Viewer = await import(addressOf(text));
  // Without its exports it is a plain script: a page from file:// may not start a worker from a module.
  viewer.startWorkersFrom(addressOf(text.slice(0, text.lastIndexOf("export{"))));
  return viewer;
}

function addressOf(script: string): string {
  return URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
}
