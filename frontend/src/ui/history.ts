// Back and forward through what was looked at, as a browser does it: a new place drops all that lay ahead.

const MOST = 100;

export class History<Place> {
  #places: Place[];
  #at = 0;

  constructor(first: Place) {
    this.#places = [first];
  }

  get canGoBack(): boolean {
    return this.#at > 0;
  }

  get canGoForward(): boolean {
    return this.#at < this.#places.length - 1;
  }

  /** Leave the present place, as it looks now, for a new one. */
  visit(present: Place, next: Place): void {
    this.#places = [...this.#places.slice(0, this.#at), present, next].slice(-MOST);
    this.#at = this.#places.length - 1;
  }

  /** Leave the present place, as it looks now, for the one before (-1) or after (1) it; null where there is none. */
  travel(present: Place, by: -1 | 1): Place | null {
    const place = this.#places[this.#at + by];
    if (place === undefined) return null;
    this.#places[this.#at] = present;
    this.#at += by;
    return place;
  }
}
