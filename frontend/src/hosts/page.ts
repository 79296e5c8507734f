// The viewer as a page of its own: a file, or the content of a frame in a notebook. gradviz/view/page.py writes the page.

import { decodeText } from "../payload.ts";
import { type State, Store } from "../state.ts";
import { mount, showProblem } from "../viewer.ts";

/** Show the graph that lies in this page. */
export async function page(): Promise<void> {
  const place = document.getElementById("gradviz")!;
  try {
    const model = await decodeText(document.getElementById("gradviz-payload")?.textContent ?? "");
    const store = new Store({ theme: (place.dataset.theme ?? "auto") as State["theme"] });
    // In a frame the wheel belongs to the notebook around it.
    const wheel = window.parent === window ? "always" : "focused";
    mount(place, model, { store, wheel, height: "100vh", title: document.title });
  } catch (error) {
    showProblem(place, error);
  }
}
