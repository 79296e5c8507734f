// Light or dark: what the state says, else what the page around the view is. Attributes of known hosts go first, because
// they change at once; then the colour that really lies behind the view; last what the system prefers.

import type { ThemeName } from "../model.ts";
import type { State } from "../state.ts";

/** All that the decision rests on. */
export interface Surroundings {
  readonly chosen: State["theme"];
  /** `data-jp-theme-light` of the body (JupyterLab, Notebook 7). */
  readonly jupyterLight: string | null;
  /** `data-theme` of the body or the page. */
  readonly declared: string | null;
  /** Classes of the body and the page. */
  readonly classes: readonly string[];
  /** Red, green and blue (0 to 255) behind the view; null where nothing is painted. */
  readonly behind: readonly [number, number, number] | null;
  readonly prefersDark: boolean;
}

const DARK_CLASSES = ["vscode-dark", "vscode-high-contrast", "dark", "dark-theme", "theme-dark"];
const LIGHT_CLASSES = ["vscode-light", "vscode-high-contrast-light", "light", "light-theme", "theme-light"];

export function decideTheme(around: Surroundings): ThemeName {
  if (around.chosen !== "auto") return around.chosen;
  if (around.jupyterLight !== null) return around.jupyterLight === "true" ? "light" : "dark";
  if (around.declared?.includes("dark")) return "dark";
  if (around.declared?.includes("light")) return "light";
  // Visual Studio Code puts both classes on a light page of high contrast: light ones are asked first.
  if (around.classes.some((name) => LIGHT_CLASSES.includes(name))) return "light";
  if (around.classes.some((name) => DARK_CLASSES.includes(name))) return "dark";
  if (around.behind !== null) return luminance(around.behind) < 0.2 ? "dark" : "light";
  return around.prefersDark ? "dark" : "light";
}

/** WCAG's relative luminance, 0 to 1. */
export function luminance(color: readonly [number, number, number]): number {
  const [red, green, blue] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Tells the theme when it changes, until the signal ends it. */
export function watchTheme(host: HTMLElement, changed: () => void, signal: AbortSignal): void {
  const observer = new MutationObserver(changed);
  for (const element of [document.documentElement, document.body]) observer.observe(element, { attributes: true });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed, { signal });
  // A page may fade from one background to the other: what lies behind is known for certain afterwards.
  document.addEventListener("transitionend", changed, { signal });
  signal.addEventListener("abort", () => observer.disconnect());
  if (!host.isConnected) requestAnimationFrame(() => signal.aborted || changed());
}

export function surroundings(host: HTMLElement, chosen: State["theme"]): Surroundings {
  const { body, documentElement: page } = document;
  return {
    chosen,
    jupyterLight: body.getAttribute("data-jp-theme-light"),
    declared: body.getAttribute("data-theme") ?? page.getAttribute("data-theme"),
    classes: [...body.classList, ...page.classList],
    behind: colorBehind(host),
    prefersDark: matchMedia("(prefers-color-scheme: dark)").matches,
  };
}

function colorBehind(host: HTMLElement): [number, number, number] | null {
  for (let element: Element | null = host; element !== null; element = containerOf(element)) {
    const [red, green, blue, alpha = 1] = (getComputedStyle(element).backgroundColor.match(/[\d.]+/g) ?? []).map(
      Number,
    );
    if (red !== undefined && green !== undefined && blue !== undefined && alpha > 0.5) return [red, green, blue];
  }
  return null;
}

/** Around the top of a shadow root lies its host; around the page nothing, nor around what is not on it yet. */
function containerOf(element: Element): Element | null {
  const root = element.getRootNode();
  return element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
}
