// Gathers the points of lines, without those in the middle of a straight way down.

export class Line {
  readonly points: number[] = [];
  #start = 0;

  begin(x: number, y: number): void {
    this.#start = this.points.length;
    this.points.push(x, y);
  }

  to(x: number, y: number): void {
    const at = this.points.length;
    const below = near(this.points[at - 2]!, x);
    const nowhere = below && near(this.points[at - 1]!, y);
    const straight = below && at - this.#start >= 4 && this.points[at - 4] === this.points[at - 2];
    if (nowhere || straight) this.points[at - 1] = y;
    else this.points.push(below ? this.points[at - 2]! : x, y);
  }
}

/** Equal but for errors of rounding. */
function near(a: number, b: number): boolean {
  return Math.abs(a - b) < 1e-6;
}
