import type { FeatureCollection, Geometry, Position } from 'geojson';
import { outlineOf, placed, scaleOf, squeeze, type MapView, type Size } from './mapView';
import type { Palette } from './reading';
import type { MapSpec } from './spec';

/** A country as it is drawn: in degrees of latitude, to the right and downwards. */
export interface Land {
  code: string;
  path: Path2D;
  shape: Geometry;
}

export function landsOf(world: FeatureCollection): Land[] {
  return world.features.map(({ geometry, properties }) => ({ code: String(properties?.code), path: pathOf(geometry), shape: geometry }));
}

function pathOf(shape: Geometry): Path2D {
  const path = new Path2D();
  const rings = shape.type === 'Polygon' ? shape.coordinates : shape.type === 'MultiPolygon' ? shape.coordinates.flat() : [];
  for (const ring of rings) trace(path, ring);
  return path;
}

function trace(path: Path2D, points: readonly Position[]): void {
  points.forEach(([x = 0, y = 0], i) => (i === 0 ? path.moveTo(x * squeeze, -y) : path.lineTo(x * squeeze, -y)));
  path.closePath();
}

type Rgb = [number, number, number];

function rgb(hex: string): Rgb {
  const n = Number.parseInt(hex.slice(1), 16);
  return [n >> 16, (n >> 8) & 255, n & 255];
}

/** The colour of a share, from 0 to 1, on a scale of some colours. */
export function shade(colors: readonly string[], share: number): string {
  const at = Math.min(1, Math.max(0, share)) * (colors.length - 1);
  const from = Math.min(Math.floor(at), colors.length - 2);
  const [a, b] = [rgb(colors[from] ?? '#000000'), rgb(colors[from + 1] ?? '#000000')];
  return `rgb(${a.map((n, i) => Math.round(n + ((b[i] ?? n) - n) * (at - from))).join(',')})`;
}

/** How large the disc of a value is, in pixels. */
export function radiusOf(value: number, most: number): number {
  return 4 + 14 * Math.sqrt(Math.max(0, value) / Math.max(1, most));
}

/** What is drawn of a map: lands that are known, a part of them, and what is pointed at. */
export interface Scene {
  lands: readonly Land[];
  view: MapView;
  size: Size;
  spec: MapSpec;
  palette: Palette;
  pointed?: string | undefined;
}

const legend = { width: 140, height: 10, below: 6 };

export function drawMap(pen: CanvasRenderingContext2D, scene: Scene): void {
  const { size, spec, palette } = scene;
  pen.clearRect(0, 0, size.width, size.height);
  drawLands(pen, scene);
  for (const circle of spec.circles ?? []) drawCircle(pen, scene, circle);
  const most = Math.max(1, ...(spec.points ?? []).map((p) => p.value));
  for (const p of spec.points ?? []) {
    const [x, y] = placed(scene.view, size, p.lng, p.lat);
    pen.beginPath();
    pen.arc(x, y, radiusOf(p.value, most), 0, 2 * Math.PI);
    pen.globalAlpha = 0.75;
    pen.fillStyle = palette.series[1] ?? palette.text;
    pen.fill();
    pen.globalAlpha = 1;
    pen.strokeStyle = palette.card;
    pen.lineWidth = 1;
    pen.stroke();
  }
  drawLegend(pen, scene);
}

function drawLands(pen: CanvasRenderingContext2D, { lands, view, size, spec, palette, pointed }: Scene): void {
  const [nothing = palette.line, ...some] = palette.heat;
  const values = new Map(spec.rows.map((r) => [r.code, r.value]));
  const most = Math.max(1, ...values.values());
  const scale = scaleOf(size, view.zoom);
  pen.save();
  pen.translate(size.width / 2, size.height / 2);
  pen.scale(scale, scale);
  pen.translate(-view.lng * squeeze, view.lat);
  pen.lineWidth = 0.6 / scale;
  pen.strokeStyle = palette.card;
  for (const { code, path } of lands) {
    const value = values.get(code) ?? 0;
    pen.fillStyle = code === pointed ? palette.quiet : value > 0 ? shade(some, most <= 1 ? 1 : (value - 1) / (most - 1)) : nothing;
    pen.fill(path);
    pen.stroke(path);
  }
  pen.restore();
}

function drawCircle(pen: CanvasRenderingContext2D, { view, size, palette }: Scene, circle: NonNullable<MapSpec['circles']>[number]): void {
  const outline = outlineOf(circle);
  const color = (circle.draft === true ? palette.series[3] : palette.series[2]) ?? palette.text;
  pen.strokeStyle = color;
  pen.fillStyle = color;
  pen.lineWidth = 2;
  pen.setLineDash(circle.draft === true ? [5, 4] : []);
  // A circle across 180° shows at both ends of the map.
  for (const turn of [-360, 0, 360]) {
    pen.beginPath();
    outline.forEach(([lng, lat], i) => {
      const [x, y] = placed(view, size, lng + turn, lat);
      if (i === 0) pen.moveTo(x, y);
      else pen.lineTo(x, y);
    });
    pen.closePath();
    pen.globalAlpha = 0.15;
    pen.fill();
    pen.globalAlpha = 1;
    pen.stroke();
  }
  pen.setLineDash([]);
  // One that is too small to be seen has its middle, too.
  const [x, y] = placed(view, size, circle.lng, circle.lat);
  pen.beginPath();
  pen.arc(x, y, 3, 0, 2 * Math.PI);
  pen.fill();
}

function drawLegend(pen: CanvasRenderingContext2D, { size, spec, palette }: Scene): void {
  const most = Math.max(0, ...spec.rows.map((r) => r.value));
  if (most === 0) return;
  const colors = palette.heat.slice(1);
  const [left, top] = [(size.width - legend.width) / 2, size.height - legend.height - legend.below];
  const fill = pen.createLinearGradient(left, 0, left + legend.width, 0);
  colors.forEach((color, i) => fill.addColorStop(i / (colors.length - 1), color));
  pen.fillStyle = fill;
  pen.fillRect(left, top, legend.width, legend.height);
  pen.fillStyle = palette.quiet;
  pen.font = '12px system-ui, sans-serif';
  pen.textBaseline = 'middle';
  pen.textAlign = 'right';
  pen.fillText(spec.formatTick(Math.min(1, most)), left - 8, top + legend.height / 2);
  pen.textAlign = 'left';
  pen.fillText(spec.formatTick(most), left + legend.width + 8, top + legend.height / 2);
}
