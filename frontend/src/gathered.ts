// Numbers gathered by owners from 0 to some count: flat arrays instead of lists, for 100,000 owners at a time.

/** The numbers of owner k are `item[start[k]]` up to (not including) `item[start[k + 1]]`. */
export interface Gathered {
  readonly start: Int32Array;
  readonly item: Int32Array;
}

/** The places of `owners` gathered by what stands there, those of one owner in order. */
export function gather(count: number, owners: Int32Array): Gathered {
  const start = starts(count, owners);
  const next = start.slice(0, count);
  const item = new Int32Array(owners.length);
  for (let place = 0; place < owners.length; place++) item[next[owners[place]!]!++] = place;
  return { start, item };
}

/** Where the numbers of each owner start, and the end. */
export function starts(count: number, owners: Int32Array): Int32Array {
  const start = new Int32Array(count + 1);
  for (let place = 0; place < owners.length; place++) start[owners[place]! + 1]!++;
  for (let owner = 0; owner < count; owner++) start[owner + 1]! += start[owner]!;
  return start;
}

/** The numbers of one owner; none where there is no such owner. */
export function ownedBy({ start, item }: Gathered, owner: number): Int32Array {
  return item.subarray(start[owner] ?? 0, start[owner + 1] ?? 0);
}
