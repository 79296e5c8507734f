// What is seen from far away: spots and the minimap. They are made again only where they would look different: most
// changes, such as each step of the backward, leave them as they are.

import type { Shot } from "./export.ts";
import { Minimap } from "./minimap.ts";
import { Spots } from "./spots.ts";
import type { Emphasis } from "./types.ts";
import type { Point } from "./viewpoint.ts";

interface Look extends Shot {
  readonly density: number;
}

export class Afar {
  readonly minimap: Minimap;
  #look: Look | null = null;
  #spots: Spots | null = null;

  constructor(document: Document, move: (place: Point) => void, signal: AbortSignal) {
    this.minimap = new Minimap(document, move, signal);
  }

  spots(look: Look): Spots {
    const { plan, theme, emphasis, density } = look;
    if (this.#spots === null || this.#look === null || !isAlike(this.#look, look)) {
      this.#spots = new Spots(plan, theme, emphasis);
      this.minimap.prepare(plan, this.#spots, plan.looks[theme], emphasis, density);
    }
    this.#look = look;
    return this.#spots;
  }

  destroy(): void {
    this.minimap.destroy();
    this.#look = this.#spots = null;
  }
}

function isAlike(one: Look, other: Look): boolean {
  const isSame = one.plan === other.plan && one.theme === other.theme && one.density === other.density;
  return isSame && isAlikeFromAfar(one.emphasis, other.emphasis);
}

/** Whether two emphases of one drawing differ in nothing that is seen from far away. */
export function isAlikeFromAfar(one: Emphasis, other: Emphasis): boolean {
  if (one === other) return true;
  return (["paints", "dimBoxes", "found", "selected"] as const).every((part) => isSameList(one[part], other[part]));
}

function isSameList(one: ArrayLike<unknown> | null, other: ArrayLike<unknown> | null): boolean {
  if (one === other) return true;
  if (one === null || other === null || one.length !== other.length) return false;
  for (let place = 0; place < one.length; place++) if (one[place] !== other[place]) return false;
  return true;
}
