import { describe, expect, it } from 'vitest';
import type { Level, Node } from './api';
import { layOut, nextOf, room, type Box } from './layout';

const node = (event: string, paths: number, ended = 0): Node => ({ event, paths, users: paths, ended });
const link = (from: number, to: number, paths: number) => ({ from, to, paths, users: paths });

const levels: Level[] = [
  { level: 0, nodes: [node('start', 100, 20)], links: [link(0, 1, 30), link(0, 0, 49), link(0, 2, 1)] },
  { level: 1, nodes: [node('look', 49, 9), node('cart', 30, 30), { other: true, paths: 1, users: 1, ended: 0 }], links: [link(0, 0, 40), link(2, 0, 1)] },
  { level: 2, nodes: [node('start', 41, 41)], links: [] },
];

const ends = (path: string) => {
  const [x0 = 0, y0 = 0, , , , , x1 = 0, y1 = 0] = [...path.matchAll(/-?[\d.]+/g)].map(Number);
  return { x0, y0, x1, y1 };
};

describe('the layout of a flow', () => {
  const { height, boxes, bands } = layOut(levels);
  const at = (column: number, place: number): Box => {
    const box = boxes[column]?.[place];
    if (box === undefined) throw new Error(`no box at ${column}, ${place}`);
    return box;
  };

  it('has bars as high as their paths are many, in all levels alike', () => {
    const perPath = at(0, 0).bar / 100;
    for (const box of boxes.flat()) expect(box.bar / box.node.paths).toBeCloseTo(perPath, 9);
    expect(at(0, 0).ended).toBeCloseTo(20 * perPath, 9);
    expect(perPath).toBeGreaterThan(1);
  });

  it('gives every node room to be pressed, without one upon another, and fits', () => {
    expect(at(1, 2).height).toBe(room.least);
    for (const list of boxes) {
      list.forEach((box, i) => {
        expect(box.height).toBeGreaterThanOrEqual(Math.max(room.least, box.bar));
        const next = list[i + 1];
        if (next !== undefined) expect(next.top).toBeCloseTo(box.top + box.height + room.gap, 6);
        expect(box.top + box.height).toBeLessThanOrEqual(height + 0.001);
        expect(box.barTop - box.top).toBeCloseTo(box.top + box.height - box.barTop - box.bar, 6);
      });
    }
  });

  it('draws bands from node to node, in the order of the other ends', () => {
    expect(bands.map(({ column, from, to }) => [column, from, to])).toEqual([[0, 0, 0], [0, 0, 1], [0, 0, 2], [1, 0, 0], [1, 2, 0]]);
    const [first, second, , , last] = bands.map(({ path }) => ends(path));
    expect(first?.y0).toBeCloseTo(at(0, 0).barTop, 1);
    expect(second?.y0).toBeCloseTo(at(0, 0).barTop + at(1, 0).bar, 0);
    expect(second?.y1).toBeCloseTo(at(1, 1).barTop, 1);
    expect(last?.y0).toBeCloseTo(at(1, 2).barTop, 1);
    expect(last?.y1).toBeCloseTo(at(2, 0).barTop + (40 / 41) * at(2, 0).bar, 0);
    for (const { x0, x1 } of bands.map(({ path }) => ends(path))) expect(x1).toBeGreaterThan(x0);
  });

  it('colours a step alike everywhere, and others not at all', () => {
    expect(at(0, 0).color).toBe(at(2, 0).color);
    expect(new Set([at(0, 0), at(1, 0), at(1, 1)].map((b) => b.color)).size).toBe(3);
    expect(at(1, 2).color).toBe(0);
    expect(bands[4]?.color).toBe(0);
  });

  it('grows with many nodes, and stands nothing', () => {
    const many: Level[] = [{ level: 0, nodes: Array.from({ length: 26 }, (_, i) => node(`e${i}`, 1)), links: [] }];
    const tall = layOut(many);
    expect(tall.height).toBeGreaterThan(26 * (room.least + room.gap));
    expect(tall.boxes.flat().every((b) => b.top + b.height <= tall.height)).toBe(true);
    expect(layOut([])).toEqual({ height: room.height, boxes: [], bands: [] });
    expect(layOut([{ level: 0, nodes: [], links: [link(0, 0, 1)] }]).bands).toEqual([]);
  });

  it('knows where most go on', () => {
    expect(nextOf(levels, 0, 0)).toEqual({ node: levels[1]?.nodes[0], paths: 49 });
    expect(nextOf(levels, 1, 1)).toBeUndefined();
    expect(nextOf(levels, 2, 0)).toBeUndefined();
  });
});
