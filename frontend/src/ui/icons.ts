// The icons of the toolbar and the panels: strokes on a grid of 16, drawn in the colour of the text.

import { makeButton, makeSvg } from "./dom.ts";

const PATHS = {
  search: "M11 11l3.5 3.5M12.5 7.2a5.2 5.2 0 1 1-10.4 0 5.2 5.2 0 0 1 10.4 0z",
  up: "M4 10l4-4 4 4",
  down: "M4 6l4 4 4-4",
  back: "M9.5 3.5L5 8l4.5 4.5",
  forward: "M6.5 3.5L11 8l-4.5 4.5",
  foldAll: "M4 2.5l4 4 4-4M4 13.5l4-4 4 4",
  unfoldAll: "M4 6l4-4 4 4M4 10l4 4 4-4",
  zoomOut: "M3 8h10",
  zoomIn: "M3 8h10M8 3v10",
  fit: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
  step: "M3 3.5v9l6-4.5zM12.5 3.5v9",
  play: "M4.5 3v10l8-5z",
  pause: "M5 3.5v9M11 3.5v9",
  close: "M4 4l8 8M12 4l-8 8",
  details: "M2.5 3h11v10h-11zM9.5 3v10",
  save: "M8 2.5v7M4.8 6.6L8 9.8l3.2-3.2M3 13h10",
} as const;

type Icon = keyof typeof PATHS;

export function icon(name: Icon): SVGElement {
  return makeSvg(
    "svg",
    { viewBox: "0 0 16 16", class: "icon", "aria-hidden": "true" },
    makeSvg("path", { d: PATHS[name] }),
  );
}

/** A button with an icon only, named by `name`. */
export function tool(name: string, picture: Icon, press: () => void, title = name): HTMLButtonElement {
  return makeButton(icon(picture), press, { "aria-label": name, title, class: "tool" });
}
