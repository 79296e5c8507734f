// Builds the viewer: `node build.mjs` writes gradviz/view/static/, `--compare` fails where that is not what the sources
// give, `--test` bundles the unit tests into build/test/. The same sources give the same viewer (esbuild is pinned).

import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { deflateSync, inflateSync } from "node:zlib";
import * as esbuild from "esbuild";

const HERE = path.dirname(fileURLToPath(import.meta.url));
const STATIC = path.join(HERE, "../gradviz/view/static");
const MOST_BYTES = 100_000; // of a host's script: every widget stores it in its notebook

/** Style sheets are texts of the script, which puts them into its shadow root. */
const STYLES = {
  name: "styles",
  setup({ onLoad }) {
    onLoad({ filter: /\.css$/ }, async ({ path: file }) => {
      const { code } = await esbuild.transform(await readFile(file, "utf8"), { loader: "css", minify: true });
      return { contents: code.trim(), loader: "text" };
    });
  },
};
const COMMON = { bundle: true, minify: true, target: "es2022", legalComments: "none", plugins: [STYLES] };

async function bundled(entry, format, define = {}) {
  const entryPoints = [path.join(HERE, "src", entry)];
  const result = await esbuild.build({ ...COMMON, entryPoints, format, define, write: false });
  return result.outputFiles[0].text;
}

/** The script of a host: the viewer, compressed, and what unpacks it. */
async function hosted(host, format, viewer) {
  const name = `gradviz viewer ${createHash("sha256").update(viewer).digest("hex").slice(0, 16)}`;
  const packed = deflateSync(viewer, { level: 9 }).toString("base64");
  const define = { PACKED: JSON.stringify(packed), VIEWER: JSON.stringify(name) };
  const text = `/* Generated from frontend/ by "npm run build". */\n${await bundled(`hosts/${host}.entry.ts`, format, define)}`;
  if (text.length > MOST_BYTES) throw new Error(`${host}.js has ${text.length} bytes, more than ${MOST_BYTES}`);
  // The page holds this text inside a <script>, where HTML reads these two even within strings.
  if (/<\/script|<!--/i.test(text)) throw new Error(`${host}.js contains what would end or swallow its <script>`);
  return { file: path.join(STATIC, `${host}.js`), text };
}

/** A host's script with the viewer unpacked: zlib may pack the same text differently in another version of Node. */
function unpacked(text) {
  return text.replace(/[\w+/=]{1000,}/g, (packed) => inflateSync(Buffer.from(packed, "base64")).toString());
}

async function build(write) {
  const viewer = await bundled("main.ts", "esm");
  // hosts/unpack.ts makes a plain script of it by cutting it there.
  if (viewer.split("export{").length !== 2) throw new Error("the viewer must export once, at its end");
  await mkdir(STATIC, { recursive: true });
  for (const { file, text } of [await hosted("widget", "esm", viewer), await hosted("page", "iife", viewer)]) {
    if (write) await writeFile(file, text);
    else if (unpacked(await readFile(file, "utf8").catch(() => "")) !== unpacked(text)) {
      throw new Error(`${file} is not what the sources give: run "npm run build" in frontend/ and commit it`);
    }
    console.log(`${path.basename(file)}: ${text.length} bytes, the viewer unpacked ${viewer.length}`);
  }
}

async function bundleTests() {
  const files = await readdir(path.join(HERE, "test"), { recursive: true });
  const entryPoints = files.filter((file) => file.endsWith(".test.ts")).map((file) => path.join(HERE, "test", file));
  const options = { ...COMMON, minify: false, platform: "node", format: "esm" };
  const places = { outbase: path.join(HERE, "test"), outdir: path.join(HERE, "build/test") };
  await esbuild.build({ ...options, ...places, entryPoints });
}

if (process.argv.includes("--test")) await bundleTests();
else await build(!process.argv.includes("--compare"));
