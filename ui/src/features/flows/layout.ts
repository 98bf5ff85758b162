import type { Level, Node } from './api';
import { stepOf } from './draft';

/** A node of the picture. Heights and places are in pixels from the top. */
export interface Box {
  node: Node;
  /** Its level, and its place in it. */
  column: number;
  place: number;
  /** The room that it has, at least enough to be pressed. */
  top: number;
  height: number;
  /** The bar in it, whose height is by its paths, and how much of that, from below, is those that end here. */
  barTop: number;
  bar: number;
  ended: number;
  /** The number of its colour, from 1; 0 for what stands for several. */
  color: number;
}

/** Paths from a node to one of the next level: a curved band, in columns sideways and pixels from the top. */
export interface Band {
  column: number;
  from: number;
  to: number;
  color: number;
  path: string;
}

/** A flow as it is drawn. */
export interface Picture {
  height: number;
  boxes: Box[][];
  bands: Band[];
}

/** The least height of a node, what lies between two, and the least height of a picture, in pixels. */
export const room = { least: 28, gap: 6, height: 360 } as const;

/** Which part of its column a node takes. */
export const boxWidth = 0.68;

const colors = 6;

/** Lays out the levels of a flow: each from the top, with heights by paths that are the same in all of them. */
export function layOut(levels: readonly Level[]): Picture {
  const fullest = Math.max(0, ...levels.map((l) => l.nodes.length));
  const height = Math.max(room.height, fullest * (room.least + room.gap) + 120);
  const scale = scaleOf(levels, height);
  const colorOf = colorsOf(levels);
  const boxes = levels.map(({ nodes }, column) => {
    let top = 0;
    return nodes.map((node, place): Box => {
      const bar = node.paths * scale;
      const box = { node, column, place, top, height: Math.max(room.least, bar), bar, ended: node.ended * scale, color: colorOf(node) };
      top += box.height + room.gap;
      return { ...box, barTop: box.top + (box.height - bar) / 2 };
    });
  });
  return { height, boxes, bands: levels.flatMap((level, column) => bandsOf(level, column, boxes, scale)) };
}

/** How many pixels a path is high, so that every level fits. */
function scaleOf(levels: readonly Level[], height: number): number {
  const fits = (scale: number) => levels.every(({ nodes }) => nodes.reduce((sum, n) => sum + Math.max(room.least, n.paths * scale) + room.gap, -room.gap) <= height);
  const largest = Math.max(1, ...levels.flatMap(({ nodes }) => nodes.map((n) => n.paths)));
  let [low, high] = [0, height / largest];
  for (let i = 0; i < 40; i++) {
    const middle = (low + high) / 2;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** A colour for each step, the same in all levels; those with most paths have different ones. */
function colorsOf(levels: readonly Level[]): (node: Node) => number {
  const sums = new Map<string, number>();
  for (const node of levels.flatMap((l) => l.nodes)) {
    const step = stepOf(node);
    if (step !== undefined) sums.set(step, (sums.get(step) ?? 0) + node.paths);
  }
  const order = [...sums].sort(([, a], [, b]) => b - a).map(([step]) => step);
  return (node) => {
    const step = stepOf(node);
    return step === undefined ? 0 : 1 + (order.indexOf(step) % colors);
  };
}

/** The bands from a level to the next: at each node they lie in the order of the nodes at their other ends, so that few cross. */
function bandsOf({ links }: Level, column: number, boxes: readonly (readonly Box[])[], scale: number): Band[] {
  const used = new Map<Box, number>();
  const arrived = new Map<Box, number>();
  const ordered = [...links].sort((a, b) => a.from - b.from || a.to - b.to);
  return ordered.flatMap(({ from, to, paths }): Band[] => {
    const [source, target] = [boxes[column]?.[from], boxes[column + 1]?.[to]];
    if (source === undefined || target === undefined) return [];
    const width = paths * scale;
    const y0 = source.barTop + (used.get(source) ?? 0);
    const y1 = target.barTop + (arrived.get(target) ?? 0);
    used.set(source, (used.get(source) ?? 0) + width);
    arrived.set(target, (arrived.get(target) ?? 0) + width);
    return [{ column, from, to, color: source.color, path: curve(column + boxWidth, y0, column + 1, y1, width) }];
  });
}

function curve(x0: number, y0: number, x1: number, y1: number, width: number): string {
  const x = (n: number) => Math.round(n * 1000) / 1000;
  const y = (n: number) => Math.round(n * 10) / 10;
  const middle = x((x0 + x1) / 2);
  const [top0, top1, bottom0, bottom1] = [y(y0), y(y1), y(y0 + Math.max(width, 1)), y(y1 + Math.max(width, 1))];
  return `M${x(x0)} ${top0}C${middle} ${top0} ${middle} ${top1} ${x(x1)} ${top1}L${x(x1)} ${bottom1}C${middle} ${bottom1} ${middle} ${bottom0} ${x(x0)} ${bottom0}Z`;
}

/** The node to which most paths go on from a node; undefined where none do. */
export function nextOf(levels: readonly Level[], column: number, place: number): { node: Node; paths: number } | undefined {
  const [best] = (levels[column]?.links ?? []).filter((l) => l.from === place).sort((a, b) => b.paths - a.paths);
  const node = best === undefined ? undefined : levels[column + 1]?.nodes[best.to];
  return best === undefined || node === undefined ? undefined : { node, paths: best.paths };
}
