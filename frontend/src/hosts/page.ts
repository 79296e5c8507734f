// The viewer as a page of its own: a file, or the content of a frame in a notebook. gradviz/view/page.py writes the page.

import { decode } from "../payload.ts";
import { type State, Store } from "../state.ts";
import { mount, showProblem } from "../viewer.ts";

/** Show the graph that lies in this page. */
export async function page(): Promise<void> {
  const place = document.getElementById("gradviz")!;
  try {
    const packed = document.getElementById("gradviz-payload")?.textContent ?? "";
    const model = await decode(Uint8Array.from(atob(packed.trim()), (letter) => letter.charCodeAt(0)));
    const store = new Store({ theme: (place.dataset.theme ?? "auto") as State["theme"] });
    // In a frame the wheel belongs to the notebook around it.
    mount(place, model, { store, wheel: window.parent === window ? "always" : "focused", height: "100vh" });
  } catch (error) {
    showProblem(place, error);
  }
}
