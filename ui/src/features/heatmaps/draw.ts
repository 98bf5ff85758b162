import type { Heat, Kind } from './api';

/** Clicks of a kind in a cell, by its place in per cent of the page. */
export interface Spot {
  x: number;
  y: number;
  clicks: number;
}

/** Where a cell has its clicks of a kind. */
const places = { click: 2, dead: 3, rage: 4 } as const;

/** The cells with clicks of a kind, those with most first. */
export function spotsOf({ spots, columns, rows }: Pick<Heat, 'spots' | 'columns' | 'rows'>, kind: Exclude<Kind, 'scroll'>): Spot[] {
  const at = places[kind];
  return spots
    .filter((s) => s[at] > 0)
    .map((s) => ({ x: ((s[0] + 0.5) * 100) / columns, y: ((s[1] + 0.5) * 100) / rows, clicks: s[at] }))
    .sort((a, b) => b.clicks - a.clicks);
}

/** From cold to hot, for a share from 0 to 1. */
export function colourOf(share: number): [red: number, green: number, blue: number] {
  const s = Math.max(0, Math.min(1, share));
  return [Math.round(255 * Math.min(1, s * 2)), Math.round(255 * Math.min(1, (1 - Math.abs(s - 0.5)) * 1.2)), Math.round(255 * Math.max(0, 1 - s * 2))];
}

/** Which share of the visits came as far as each per cent of the page. */
export function reachOf({ reached }: Pick<Heat, 'reached'>): number[] {
  const all = reached[0] ?? 0;
  return reached.map((n) => (all === 0 ? 0 : n / all));
}

/** How far down, in per cent, at least a share of the visits came. */
export function depthOf(reach: readonly number[], share: number): number {
  let depth = 0;
  reach.forEach((n, i) => {
    if (n >= share && n > 0) depth = i;
  });
  return depth;
}

/** Draws clicks as heat on a canvas of any size. */
export function drawSpots(g: CanvasRenderingContext2D, spots: readonly Spot[]): void {
  const { width, height } = g.canvas;
  g.clearRect(0, 0, width, height);
  const most = spots[0]?.clicks ?? 0;
  if (most === 0) return;
  const radius = Math.max(6, width / 50);
  for (const { x, y, clicks } of spots) {
    const [cx, cy] = [(x * width) / 100, (y * height) / 100];
    const heat = g.createRadialGradient(cx, cy, 0, cx, cy, radius);
    heat.addColorStop(0, `rgba(0,0,0,${Math.max(0.12, Math.sqrt(clicks / most)).toFixed(3)})`);
    heat.addColorStop(1, 'rgba(0,0,0,0)');
    g.fillStyle = heat;
    g.fillRect(cx - radius, cy - radius, 2 * radius, 2 * radius);
  }
  const picture = g.getImageData(0, 0, width, height);
  const { data } = picture;
  for (let i = 0; i < data.length; i += 4) {
    const alpha = data[i + 3] ?? 0;
    if (alpha === 0) continue;
    data.set([...colourOf(alpha / 255), Math.min(210, 60 + alpha)], i);
  }
  g.putImageData(picture, 0, 0);
}

/** Draws how far visits came as bands, hot where all came. */
export function drawReach(g: CanvasRenderingContext2D, reach: readonly number[]): void {
  const { width, height } = g.canvas;
  g.clearRect(0, 0, width, height);
  if ((reach[0] ?? 0) === 0) return;
  const step = height / 100;
  for (let i = 0; i < 100; i++) {
    const [red, green, blue] = colourOf(reach[i] ?? 0);
    g.fillStyle = `rgba(${red},${green},${blue},.4)`;
    g.fillRect(0, Math.floor(i * step), width, Math.ceil(step));
  }
}
