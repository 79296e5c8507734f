// The golden files that Python's tests write and check: payloads, each with what Python makes of it.

import { readdirSync, readFileSync } from "node:fs";
import type { Model } from "../src/model.ts";
import { parse } from "../src/payload.ts";
import type { FoldState } from "../src/state.ts";

const FOLDER = new URL("../../../../tests/view/golden/", import.meta.url); // from build/test/<area>/

export interface Golden {
  readonly file: string;
  /** The payload's JSON. */
  readonly text: string;
  readonly model: Model;
  /** The scene as JSON. */
  readonly scene: Readonly<Record<string, unknown>>;
  /** What "unfold all" opens with room for so many boxes, and what is open where a node is revealed in a state. */
  readonly folds: {
    readonly unfolded: Readonly<Record<string, FoldState>>;
    readonly revealed: readonly (readonly [FoldState, string, FoldState])[];
  };
}

export function golden(): Golden[] {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith(".json"));
  return files.map((file) => {
    const { payload, scene, folds } = JSON.parse(readFileSync(new URL(file, FOLDER), "utf8"), visible);
    const text = JSON.stringify(payload);
    return { file, text, model: parse(text), scene, folds };
  });
}

/** A payload's texts are spelled out where they would not be seen; those of the golden scenes are not. */
function visible(_: string, value: unknown): unknown {
  if (typeof value !== "string") return value;
  return value.replace(/[\p{Cc}\p{Cf}]/gu, (hidden) => {
    const code = hidden.codePointAt(0)!.toString(16);
    return code.length <= 2 ? `\\x${code.padStart(2, "0")}` : `\\u${code.padStart(4, "0")}`;
  });
}
