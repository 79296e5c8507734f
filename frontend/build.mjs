// Builds the viewer: `node build.mjs` writes gradviz/view/static/, `--compare` fails where that is not what the sources
// give, `--test` bundles the unit tests into build/test/. The same sources give the same bytes (esbuild is pinned).
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const HERE = path.dirname(fileURLToPath(import.meta.url));
const STATIC = path.join(HERE, "../gradviz/view/static");
const MOST_BYTES = 100_000; // of a bundle: every widget stores it in its notebook
const COMMON = { bundle: true, minify: true, target: "es2022", legalComments: "none", loader: { ".css": "text" } };

// `import source from "worker:./file"`: the file, bundled by itself, as text to start a worker from.
const worker = {
  name: "worker",
  setup(build) {
    build.onResolve({ filter: /^worker:/ }, (found) => ({
      path: path.resolve(found.resolveDir, `${found.path.slice(7)}.ts`),
      namespace: "worker",
    }));
    build.onLoad({ filter: /.*/, namespace: "worker" }, async (found) => {
      const result = await esbuild.build({ ...COMMON, entryPoints: [found.path], format: "iife", write: false });
      return { contents: result.outputFiles[0].text, loader: "text" };
    });
  },
};

async function bundle(host, format) {
  const entry = path.join(HERE, `src/hosts/${host}.ts`);
  const result = await esbuild.build({ ...COMMON, entryPoints: [entry], format, write: false, plugins: [worker] });
  const text = `/* Generated from frontend/ by \`npm run build\`. */\n${result.outputFiles[0].text}`;
  if (text.length > MOST_BYTES) throw new Error(`${host}.js has ${text.length} bytes, more than ${MOST_BYTES}`);
  // The page holds this text inside a <script>, where HTML reads these two even within strings.
  if (/<\/script|<!--/i.test(text)) throw new Error(`${host}.js contains what would end or swallow its <script>`);
  return { file: path.join(STATIC, `${host}.js`), text };
}

if (process.argv.includes("--test")) {
  const files = await readdir(path.join(HERE, "test"), { recursive: true });
  const entryPoints = files.filter((file) => file.endsWith(".test.ts")).map((file) => path.join(HERE, "test", file));
  const options = { ...COMMON, minify: false, platform: "node", format: "esm" };
  await esbuild.build({ ...options, entryPoints, outdir: path.join(HERE, "build/test"), plugins: [worker] });
} else {
  for (const { file, text } of [await bundle("widget", "esm"), await bundle("page", "iife")]) {
    if (!process.argv.includes("--compare")) await writeFile(file, text);
    else if ((await readFile(file, "utf8").catch(() => "")) !== text) {
      throw new Error(`${file} is not what the sources give: run \`npm run build\` in frontend/ and commit it`);
    }
    console.log(`${path.basename(file)}: ${text.length} bytes`);
  }
}
