// Counts where lines cross, for every engine in the same way: curves as straight pieces, every place where two pieces
// pass through each other is one crossing. Lines that begin or end at the same box may touch there, so they do not count
// against each other; nor do lines that only run along each other.

const CELL = 64; // units; each pair of pieces is compared in the cells that both pass

/** `lines`: for each arrow its pieces, as flat lists of points. `ends`: source and target of each arrow, flat. */
export function crossings(lines, ends) {
  const pieces = [];
  lines.forEach((parts, arrow) => {
    for (const points of parts) {
      for (let i = 0; i + 3 < points.length; i += 2) {
        const [x0, y0, x1, y1] = points.slice(i, i + 4);
        if (x0 !== x1 || y0 !== y1) pieces.push({ arrow, x0, y0, x1, y1 });
      }
    }
  });
  const cells = new Map();
  for (const piece of pieces) {
    for (const cell of passed(piece)) {
      const there = cells.get(cell);
      if (there === undefined) cells.set(cell, [piece]);
      else there.push(piece);
    }
  }
  const share = (a, b) =>
    ends[2 * a] === ends[2 * b] ||
    ends[2 * a] === ends[2 * b + 1] ||
    ends[2 * a + 1] === ends[2 * b] ||
    ends[2 * a + 1] === ends[2 * b + 1];
  let count = 0;
  for (const [cell, there] of cells) {
    for (let i = 0; i < there.length; i++) {
      for (let j = i + 1; j < there.length; j++) {
        const [a, b] = [there[i], there[j]];
        if (a.arrow === b.arrow || share(a.arrow, b.arrow)) continue;
        const place = meeting(a, b);
        if (place !== null && cellOf(place.x, place.y) === cell) count++; // once, however many cells both pass
      }
    }
  }
  return count;
}

function cellOf(x, y) {
  return `${Math.floor(x / CELL)} ${Math.floor(y / CELL)}`;
}

/** The cells that a piece passes: row by row, those between where it enters and where it leaves the row. */
function* passed({ x0, y0, x1, y1 }) {
  const [top, bottom] = [Math.floor(Math.min(y0, y1) / CELL), Math.floor(Math.max(y0, y1) / CELL)];
  for (let row = top; row <= bottom; row++) {
    const at = (y) =>
      y0 === y1 ? x0 : x0 + ((x1 - x0) * (Math.min(Math.max(y, Math.min(y0, y1)), Math.max(y0, y1)) - y0)) / (y1 - y0);
    const [a, b] = y0 === y1 ? [x0, x1] : [at(row * CELL), at((row + 1) * CELL)];
    const right = Math.floor(Math.max(a, b) / CELL);
    for (let column = Math.floor(Math.min(a, b) / CELL); column <= right; column++) yield `${column} ${row}`;
  }
}

/** Where two pieces pass through each other, null where they only touch or do not meet. */
function meeting(a, b) {
  const side = (p, x, y) => (p.x1 - p.x0) * (y - p.y0) - (p.y1 - p.y0) * (x - p.x0);
  const [s, t] = [side(b, a.x0, a.y0), side(b, a.x1, a.y1)];
  if (s * t >= 0) return null;
  if (side(a, b.x0, b.y0) * side(a, b.x1, b.y1) >= 0) return null;
  const share = s / (s - t);
  return { x: a.x0 + share * (a.x1 - a.x0), y: a.y0 + share * (a.y1 - a.y0) };
}
