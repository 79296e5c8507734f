// Words for what the view says: counts, bytes, tensors. The same words as Python's view/labels/wording.py.

import type { Meta } from "./model.ts";

/** 12345 as "12,345", whatever the browser's language: the texts around it are English. */
export function grouped(number: number): string {
  return number.toLocaleString("en-US");
}

/** "1 node", "2,381 nodes". */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(number)} ${number === 1 ? noun : plural}`;
}

/** Bytes in the largest unit that leaves at least one of it, by thousands: "12.3 MB". */
export function size(bytes: number): string {
  let [value, unit] = [bytes, "bytes"];
  for (const larger of ["kB", "MB", "GB", "TB"]) {
    if (value < 999.95) break;
    [value, unit] = [value / 1000, larger];
  }
  return unit === "bytes" ? count(bytes, "byte") : `${value.toFixed(1)} ${unit}`;
}

/** Shape, dtype and device, and the layout where it is unusual. */
export function tensor(meta: Meta): string {
  const layout = meta.layout === null || meta.layout === "strided" ? "" : meta.layout;
  return [shape(meta), meta.dtype, meta.device, layout].filter(Boolean).join(" ");
}

export function shape(meta: Meta): string {
  return meta.shape || "(shape not known)";
}

/** "1st", "12th", "23rd", "1,002nd". */
export function ordinal(number: number): string {
  const teens = number % 100 >= 11 && number % 100 <= 13;
  const ending = teens ? "th" : (["th", "st", "nd", "rd"][number % 10] ?? "th");
  return `${grouped(number)}${ending}`;
}

/** The first few, and how many more there are. */
export function several(texts: readonly string[], most = 3): string {
  const more = texts.length - most;
  return texts.slice(0, most).join(", ") + (more > 0 ? ` and ${grouped(more)} more` : "");
}
