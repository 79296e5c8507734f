// One engine lays out one graph: `node layouts.mjs ENGINE INPUT OURS` prints {seconds, crossings, stubs} as JSON, with
// INPUT and OURS (the bundle of engines.ts) as files. Engine "plain" only counts: what Graphviz wrote lies at OURS.
// `prepare PAYLOAD OURS` prints what the engines are given: the picture of a graph, as the viewer measures it.
//
// In a thread with a large stack, which a browser would not give: dagre calls itself once for each node of a path.

import { readFile } from "node:fs/promises";
import { isMainThread, Worker, workerData } from "node:worker_threads";
import { crossings } from "./crossings.mjs";

const STACK = 256; // MB
const SAMPLES = 8; // straight pieces that a curve is taken for
const GAP = { node: 14, rank: 22 };
const POINTS = 72; // in one of Graphviz's inches

const prepare = async (payload, ours) => {
  const { parse, compose, measure } = await import(ours);
  const model = parse(await readFile(payload, "utf8"));
  const input = measure(compose(model, {}), 1, model.looks);
  return Object.fromEntries(Object.entries(input).map(([name, column]) => [name, [...column]]));
};

/** Each engine: what it needs before it starts, then the layout (timed), then the lines of each arrow. */
const ENGINES = {
  async gradviz(input, ours) {
    return viewer(input, ours, false);
  },
  async "gradviz, with frames"(input, ours) {
    return viewer(input, ours, true);
  },
  async elk(input) {
    const { default: Elk } = await import("elkjs/lib/elk.bundled.js");
    const elk = new Elk();
    const layoutOptions = {
      "elk.algorithm": "layered",
      "elk.direction": "DOWN",
      "elk.spacing.nodeNode": GAP.node,
      "elk.layered.spacing.nodeNodeBetweenLayers": GAP.rank,
    };
    const children = boxesOf(input).map(({ width, height }, box) => ({ id: `b${box}`, width, height }));
    const edges = arrowsOf(input).map(([source, target], arrow) => {
      return { id: `a${arrow}`, sources: [`b${source}`], targets: [`b${target}`] };
    });
    const lines = ({ edges }) =>
      edges.map(({ sections = [] }) =>
        sections.map(({ startPoint, bendPoints = [], endPoint }) =>
          [startPoint, ...bendPoints, endPoint].flatMap(({ x, y }) => [x, y]),
        ),
      );
    return [() => elk.layout({ id: "all", layoutOptions, children, edges }), lines];
  },
  async dagre(input) {
    const { default: dagre } = await import("@dagrejs/dagre");
    const graph = new dagre.graphlib.Graph({ multigraph: true });
    graph.setGraph({ nodesep: GAP.node, ranksep: GAP.rank });
    graph.setDefaultEdgeLabel(() => ({}));
    for (const [box, size] of boxesOf(input).entries()) graph.setNode(`${box}`, size);
    for (const [arrow, [source, target]] of arrowsOf(input).entries()) {
      graph.setEdge(`${source}`, `${target}`, {}, `${arrow}`);
    }
    const lines = () =>
      arrowsOf(input).map(([source, target], arrow) => [
        graph.edge(`${source}`, `${target}`, `${arrow}`).points.flatMap(({ x, y }) => [x, y]),
      ]);
    return [() => dagre.layout(graph), lines];
  },
  async "Graphviz, WASM"(input) {
    const { instance } = await import("@viz-js/viz");
    const viz = await instance();
    return [() => viz.renderString(dotOf(input), { format: "plain" }), (plain) => plainLines(plain, input)];
  },
  async plain(input, file) {
    const plain = await readFile(file, "utf8");
    return [() => plain, (text) => plainLines(text, input)];
  },
};

async function viewer(input, ours, frames) {
  const { layOut } = await import(ours);
  const { boxGroup, groupParent, groupTitle, groupText } = input;
  const flat = { boxGroup: boxGroup.map(() => -1), groupParent: [], groupTitle: [], groupText: [] };
  const { sizes, arrows, again, labels } = input;
  const given = { sizes, arrows, again, labels, ...(frames ? { boxGroup, groupParent, groupTitle, groupText } : flat) };
  const floats = ["sizes", "groupTitle", "groupText", "labels"];
  const typed = Object.entries(given).map(([name, column]) => {
    if (floats.includes(name)) return [name, Float64Array.from(column)];
    return [name, name === "again" ? Uint8Array.from(column) : Int32Array.from(column)];
  });
  const lines = ({ points, routeStart, routeArrow }) => {
    const all = arrowsOf(input).map(() => []);
    routeArrow.forEach((arrow, route) => {
      all[arrow].push(curved(points, routeStart[route], routeStart[route + 1]));
    });
    return all;
  };
  return [() => layOut(Object.fromEntries(typed)), lines, ({ stubs }) => new Set(stubs.map(({ arrow }) => arrow)).size];
}

/** The viewer's curves: between two points a cubic that is upright at both. */
function curved(points, start, stop) {
  const line = [points[2 * start], points[2 * start + 1]];
  for (let i = start + 1; i < stop; i++) {
    const [x0, y0, x1, y1] = points.slice(2 * i - 2, 2 * i + 2);
    if (x0 === x1 || y0 === y1) line.push(x1, y1);
    else line.push(...bezier([x0, y0, x0, (y0 + y1) / 2, x1, (y0 + y1) / 2, x1, y1]));
  }
  return line;
}

function bezier([x0, y0, x1, y1, x2, y2, x3, y3]) {
  return Array.from({ length: SAMPLES }, (_, number) => {
    const [t, s] = [(number + 1) / SAMPLES, 1 - (number + 1) / SAMPLES];
    const [a, b, c, d] = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t];
    return [a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3];
  }).flat();
}

const boxesOf = ({ sizes }) =>
  Array.from({ length: sizes.length / 2 }, (_, box) => ({ width: sizes[2 * box], height: sizes[2 * box + 1] }));
const arrowsOf = ({ arrows }) =>
  Array.from({ length: arrows.length / 2 }, (_, arrow) => [arrows[2 * arrow], arrows[2 * arrow + 1]]);

/** The arrow's number is its colour, which "plain" repeats: it tells edges in an order of its own. */
export function dotOf(input) {
  const nodes = boxesOf(input).map(
    ({ width, height }, box) => `${box} [width=${width / POINTS} height=${height / POINTS}]`,
  );
  const edges = arrowsOf(input).map(([source, target], arrow) => `${source} -> ${target} [color="a${arrow}"]`);
  const look = `nodesep=${GAP.node / POINTS} ranksep=${GAP.rank / POINTS}`;
  return `digraph { graph [${look}] node [shape=box fixedsize=true label=""]\n${[...nodes, ...edges].join("\n")}\n}\n`;
}

function plainLines(text, input) {
  const lines = arrowsOf(input).map(() => []);
  for (const row of text.replaceAll("\\\n", "").split("\n")) {
    if (!row.startsWith("edge ")) continue;
    const words = row.split(" ");
    const points = words.slice(4, 4 + 2 * Number(words[3])).map((word) => Number(word) * POINTS);
    const line = points.slice(0, 2);
    for (let i = 0; i + 8 <= points.length; i += 6) line.push(...bezier(points.slice(i, i + 8)));
    lines[Number(words.at(-1).slice(1))].push(line);
  }
  return lines;
}

async function measured(engine, file, ours) {
  const input = JSON.parse(await readFile(file, "utf8"));
  const [work, lines, stubs] = await ENGINES[engine](input, ours);
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  const drawn = lines(result);
  return { seconds: (user + system) / 1e6, crossings: crossings(drawn, input.arrows), stubs: stubs?.(result) ?? 0 };
}

if (isMainThread) {
  const worker = new Worker(new URL(import.meta.url), {
    workerData: process.argv.slice(2),
    resourceLimits: { stackSizeMb: STACK, maxOldGenerationSizeMb: 4096 },
  });
  worker.on("error", (error) => {
    process.stderr.write(`${error}\n`);
    process.exitCode = 1;
  });
} else {
  const [task, ...given] = workerData;
  const acts = {
    prepare: () => prepare(...given),
    dot: async (file) => dotOf(JSON.parse(await readFile(file, "utf8"))),
  };
  const act = acts[task];
  process.stdout.write(JSON.stringify(act ? await act(...given) : await measured(task, ...given)));
}
