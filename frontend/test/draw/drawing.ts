// A small drawing made by hand, for tests: four boxes in two frames, with an arrow of every kind.

import type { Drawing } from "../../src/draw/types.ts";
import { boxText } from "../../src/layout/measure.ts";
import type { Line, Look, Looks, Model, Paint, Role, Shape, Theme } from "../../src/model.ts";
import type { Arrow, Box, Group } from "../../src/scene/types.ts";

const STYLES: Record<Role, readonly [Shape, Line]> = {
  root: ["round", "bold"],
  op: ["round", "solid"],
  view: ["round", "dashed"],
  in_place: ["hexagon", "solid"],
  custom: ["component", "solid"],
  checkpoint: ["cylinder", "solid"],
  compiled: ["box", "bold"],
  remote: ["round", "dotted"],
  parameter: ["box", "solid"],
  input: ["note", "solid"],
  frozen: ["box", "double"],
  unreached: ["box", "dashed"],
  dead_end: ["cut", "solid"],
  module: ["tab", "solid"],
  repeat: ["round", "double"],
  section: ["folder", "solid"],
};
export const ROLES = Object.keys(STYLES) as Role[];

function paint(name: string): Paint {
  return { fill: `${name}-fill`, line: `${name}-line`, text: `${name}-text` };
}

const look = ([shape, line]: readonly [Shape, Line], role: string): Look => ({
  ...{ name: role, shape, line, light: paint(`${role}-light`), dark: paint(`${role}-dark`) },
});

const theme = (name: string): Theme => ({
  ...{ paper: `${name}-paper`, text: "text", faint: "faint", arrow: "arrow", accent: "accent" },
  ...{ hook: paint("hook"), badge: paint("badge"), frames: ["frame-0", "frame-1"], frameLine: "frame-line" },
});

export const LOOKS: Looks = {
  roles: Object.fromEntries(ROLES.map((role) => [role, look(STYLES[role], role)])) as Record<Role, Look>,
  light: theme("light"),
  dark: theme("dark"),
  badges: [
    ["root", "root"],
    ["dead end", "dead_end"],
    ["frozen", "frozen"],
    ["not reached", "unreached"],
    ["custom", "custom"],
    ["checkpoint", "checkpoint"],
    ["compiled", "compiled"],
    ["remote", "remote"],
    ["in place", "in_place"],
  ],
  signals: null,
};

export function box(change: Partial<Box>): Box {
  return {
    ...{ key: "k", item: 0, kind: "operation", role: "op", label: "AddBackward0", lines: [], badges: [], nodes: [] },
    ...{ group: -1, opens: false },
    ...change,
  };
}

function group(change: Partial<Group>): Group {
  return { key: "g", item: 0, kind: "module", parent: -1, title: "block: Block", times: 1, unrolled: false, ...change };
}

function arrow(source: number, target: number, change: Partial<Arrow> = {}): Arrow {
  return { source, target, label: "", edges: 1, again: false, sample: [], ...change };
}

const PLACES = [300, 40, 300, 200, 300, 300, 500, 300]; // centres of the four boxes
const SIZES = [120, 40, 120, 40, 120, 46, 100, 40];
const FRAMES = [200, 120, 380, 230, 210, 150, 270, 190];

/** `label` and `title` stand on every box and frame. */
export function smallDrawing(label = "AddBackward0", title = "block: Block"): Drawing {
  const boxes = [
    box({ key: "loss", role: "root", label }),
    box({ key: "a", label, lines: [label], badges: ["hook"], group: 1 }),
    box({ key: "b", role: "module", label, group: 1, opens: true }),
    box({ key: "c", role: "parameter", label, group: 0 }),
  ];
  const groups = [group({ key: "f", title }), group({ key: "r", parent: 0, kind: "repeat", times: 12, title })];
  const arrows = [
    arrow(0, 1, { label }),
    arrow(1, 2, { edges: 8 }),
    arrow(1, 3),
    arrow(2, 1, { again: true }), // drawn as two stubs
  ];
  const routes = [
    [300, 60, 300, 180],
    [300, 220, 300, 277],
    [300, 220, 500, 280],
    [340, 323, 340, 330],
    [340, 170, 340, 180],
  ];
  const model = { graph: { title: label }, tree: { parent: [-1], key: [""] }, looks: LOOKS };
  return {
    model: model as unknown as Model,
    scene: { boxes, arrows, groups, arrowOf: new Int32Array() },
    sizes: Float64Array.from(SIZES),
    layout: {
      ...{ width: 640, height: 380, boxes: Float64Array.from(PLACES), groups: Float64Array.from(FRAMES) },
      points: Float64Array.from(routes.flat()),
      routeStart: Int32Array.from([0, 2, 4, 6, 8, 10]),
      routeArrow: Int32Array.from([0, 1, 2, 3, 3]),
      routeHead: Uint8Array.from([1, 1, 1, 0, 1]),
      labels: Float64Array.from([300, 165, NaN, NaN, NaN, NaN, NaN, NaN]),
      stubs: [
        { arrow: 3, end: "source", x: 340, y: 339 },
        { arrow: 3, end: "target", x: 340, y: 161 },
      ],
      crossings: 0,
    },
  };
}

/** One box for each role in a column, as large as their texts. */
export function columnOfRoles(): Drawing {
  const drawing = smallDrawing();
  const boxes = ROLES.map((role) => box({ key: role, role, label: role, badges: ["cuda:0"] }));
  const texts = boxes.map((each) => boxText(each, LOOKS));
  return {
    ...drawing,
    scene: { boxes, arrows: [], groups: [], arrowOf: new Int32Array() },
    sizes: Float64Array.from(texts.flatMap(({ width, height }) => [width, height])),
    layout: {
      ...drawing.layout,
      ...{
        width: 400,
        height: 80 * ROLES.length,
        boxes: Float64Array.from(ROLES.flatMap((_, row) => [200, 80 * row + 40])),
      },
      ...{ groups: new Float64Array(), points: new Float64Array(), routeStart: Int32Array.of(0) },
      ...{ routeArrow: new Int32Array(), routeHead: new Uint8Array(), labels: new Float64Array(), stubs: [] },
    },
  };
}
