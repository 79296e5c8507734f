// The colours of the view as CSS variables: those of the drawing, from the one table that Python has too, and a few more.

import type { Looks, ThemeName } from "../model.ts";

const OWN: Readonly<Record<ThemeName, Readonly<Record<string, string>>>> = {
  light: { panel: "#ffffff", raised: "#ffffff", hover: "#eef1f7", edge: "#dfe4ee", shadow: "rgb(30 41 59 / 0.16)" },
  dark: { panel: "#1a202b", raised: "#222a38", hover: "#2b3546", edge: "#323d4f", shadow: "rgb(0 0 0 / 0.5)" },
};

function paletteOf(looks: Looks, theme: ThemeName): Readonly<Record<string, string>> {
  const { paper, text, faint, accent, hook } = looks[theme];
  const end = looks.roles.dead_end[theme];
  return {
    ...{ paper, text, faint, accent, ...OWN[theme] },
    ...{ "hook-fill": hook.fill, "hook-line": hook.line, "hook-text": hook.text },
    ...{ "end-fill": end.fill, "end-line": end.line, "end-text": end.text },
  };
}

/** Puts the colours on the root of the view. */
export function applyPalette(root: HTMLElement, looks: Looks, theme: ThemeName): void {
  for (const [name, color] of Object.entries(paletteOf(looks, theme))) root.style.setProperty(`--${name}`, color);
  root.style.colorScheme = theme;
}
