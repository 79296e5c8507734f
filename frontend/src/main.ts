// The viewer, whole: one script, which the hosts unpack and run, and which runs itself again as the layout's worker.

import { serve } from "./layout/worker.ts";

export { page } from "./hosts/page.ts";
export { widget } from "./hosts/widget.ts";
export { startWorkersFrom } from "./layout/client.ts";

if (typeof document === "undefined") serve(); // in a worker there is no document
