// Reads the payload: zlib of one JSON object that gradviz/view/payload writes (there its form is told).

import type { Model } from "./model.ts";
import { backwardIn } from "./payload/backward.ts";
import type { Payload } from "./payload/form.ts";
import { graphIn } from "./payload/graph.ts";
import { Reader, undone } from "./payload/reader.ts";
import { treeIn } from "./payload/tree.ts";

const SCHEMA = "gradviz.view";
const VERSION = 1;

/** The model in a payload that is written as base64, in a page. */
export async function decodeText(payload: string): Promise<Model> {
  let bytes: Uint8Array;
  try {
    bytes = Uint8Array.from(atob(payload.trim()), (letter) => letter.charCodeAt(0));
  } catch (cause) {
    throw damaged("it cannot be unpacked", cause);
  }
  return decode(bytes);
}

/** The model in a payload. Rejects with a sentence for users where that cannot be read. */
export async function decode(payload: Uint8Array): Promise<Model> {
  let text: string;
  try {
    const packed = new Blob([payload as Uint8Array<ArrayBuffer>]).stream();
    text = await new Response(packed.pipeThrough(new DecompressionStream("deflate"))).text();
  } catch (cause) {
    throw damaged("it cannot be unpacked", cause);
  }
  return parse(text);
}

/** The model that the payload's JSON describes. */
export function parse(text: string): Model {
  const payload = checked(text);
  try {
    return modelIn(payload);
  } catch (cause) {
    throw damaged("parts of it are missing", cause);
  }
}

function modelIn(payload: Payload): Model {
  const read = new Reader(payload);
  const graph = graphIn(payload, read);
  const tape = Int32Array.from(undone(payload.tape));
  return {
    graph,
    tree: treeIn(payload, read, tape, graph.deadEnds),
    tape,
    looks: { ...payload.looks, signals: payload.backward?.signals ?? null },
    inFull: payload.full,
    backward: payload.backward === undefined ? null : backwardIn(payload.backward, read, graph),
  };
}

function damaged(how: string, cause: unknown): Error {
  return new Error(`The data of this graph is damaged: ${how}. Make the view again.`, { cause });
}

function checked(text: string): Payload {
  let payload: Payload | null;
  try {
    payload = JSON.parse(text) as Payload | null;
  } catch (cause) {
    throw damaged("it is not JSON", cause);
  }
  if (payload?.schema !== SCHEMA) throw new Error(`This is not a graph for this viewer (it lacks "${SCHEMA}").`);
  if (payload.version !== VERSION) {
    throw new Error(
      `This graph was written by another version of gradviz (its data has version ${payload.version}, ` +
        `this viewer reads version ${VERSION}). Make the view again with the gradviz that is installed now.`,
    );
  }
  return payload;
}
