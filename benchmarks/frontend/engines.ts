// What is measured of gradviz, bundled for Node from the viewer's own sources.

export { layOut } from "../../frontend/src/layout/layout.ts";
export { measure } from "../../frontend/src/layout/measure.ts";
export { parse } from "../../frontend/src/payload.ts";
export { compose } from "../../frontend/src/scene/compose.ts";
