// The elements that hold everything else, in a shadow root: neither side's CSS reaches the other.

import detailsStyle from "./details.css";
import { make } from "./dom.ts";
import floatsStyle from "./floats.css";
import style from "./style.css";
import toolbarStyle from "./toolbar.css";

export interface Shell {
  readonly root: HTMLElement;
  /** The drawing, and the panels beside it. */
  readonly main: HTMLElement;
  /** The drawing, and what floats over it. */
  readonly paper: HTMLElement;
  /** What it says is heard, not seen. */
  readonly status: HTMLElement;
}

export function makeShell(element: HTMLElement, height: string): Shell {
  const paper = make("div", { class: "paper" });
  const main = make("div", { class: "main" }, paper);
  const root = make("div", { class: "view" }, main);
  root.style.height = height;
  const status = make("div", { class: "heard", role: "status", "aria-live": "polite" });
  const styles = make("style", {}, style, toolbarStyle, floatsStyle, detailsStyle);
  shadowOf(element).replaceChildren(styles, root);
  return { root, main, paper, status };
}

/** A sentence where a view should be. */
export function putSentence(element: HTMLElement, sentence: string): void {
  const look = "padding: 16px; font: 13px system-ui, sans-serif";
  shadowOf(element).replaceChildren(make("p", { role: "alert", style: look }, sentence));
}

function shadowOf(element: HTMLElement): ShadowRoot {
  return element.shadowRoot ?? element.attachShadow({ mode: "open" });
}
