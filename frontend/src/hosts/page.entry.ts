// What a page runs.

import { unpacked } from "./unpack.ts";

unpacked().then(
  ({ page }) => page(),
  (error: unknown) => {
    document.body.append(`The viewer cannot start in this browser: ${error instanceof Error ? error.message : error}`);
  },
);
