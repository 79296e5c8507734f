// What anywidget loads.

import { unpacked } from "./unpack.ts";

export default async () => (await unpacked()).widget();
