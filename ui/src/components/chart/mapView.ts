import type { Geometry, Position } from 'geojson';

/** The part of the world that a map shows: its middle, in degrees, and how many times as large as the whole world it is. */
export interface MapView {
  lng: number;
  lat: number;
  zoom: number;
}

export interface Size {
  width: number;
  height: number;
}

/** A part of the world, in degrees. East may be beyond 180 for what lies across that line. */
export interface Box {
  west: number;
  east: number;
  south: number;
  north: number;
}

/** What there is to show: a little beyond 180 for the lands across it, and without the ice at both ends. */
const edges: Box = { west: -180, east: 191, south: -57, north: 84 };

/** How wide a degree of longitude is drawn beside one of latitude: as it is at 40°. */
export const squeeze = 0.77;

export const closest = 40;

/** The whole world. */
export const whole: MapView = { lng: (edges.west + edges.east) / 2, lat: (edges.south + edges.north) / 2, zoom: 1 };

/** Pixels of a degree of latitude. */
export function scaleOf({ width, height }: Size, zoom: number): number {
  return zoom * Math.min(width / ((edges.east - edges.west) * squeeze), height / (edges.north - edges.south));
}

/** Where a point of the globe lies on the map, in pixels. */
export function placed(view: MapView, size: Size, lng: number, lat: number): [number, number] {
  const scale = scaleOf(size, view.zoom);
  return [size.width / 2 + (lng - view.lng) * squeeze * scale, size.height / 2 - (lat - view.lat) * scale];
}

/** The point of the globe that lies at a place on the map; longitudes from -180 to 180. */
export function pointAt(view: MapView, size: Size, x: number, y: number): { lng: number; lat: number } {
  const scale = scaleOf(size, view.zoom);
  const lng = view.lng + (x - size.width / 2) / (squeeze * scale);
  return { lng: lng > 180 ? lng - 360 : Math.max(-180, lng), lat: Math.min(90, Math.max(-90, view.lat - (y - size.height / 2) / scale)) };
}

/** A view that shows nothing beyond the edges that it need not show. */
export function inside(view: MapView, size: Size): MapView {
  const zoom = Math.min(closest, Math.max(1, view.zoom));
  const scale = scaleOf(size, zoom);
  const kept = (at: number, low: number, high: number, half: number) => (2 * half >= high - low ? (low + high) / 2 : Math.min(high - half, Math.max(low + half, at)));
  return { lng: kept(view.lng, edges.west, edges.east, size.width / (2 * squeeze * scale)), lat: kept(view.lat, edges.south, edges.north, size.height / (2 * scale)), zoom };
}

/** The view made larger so many times; what lies at a place on the map stays there. */
export function zoomed(view: MapView, size: Size, times: number, x = size.width / 2, y = size.height / 2): MapView {
  const zoom = Math.min(closest, Math.max(1, view.zoom * times));
  const [was, is] = [scaleOf(size, view.zoom), scaleOf(size, zoom)];
  const [dx, dy] = [x - size.width / 2, y - size.height / 2];
  return inside({ lng: view.lng + (dx / was - dx / is) / squeeze, lat: view.lat - (dy / was - dy / is), zoom }, size);
}

/** The view with the map drawn along by so many pixels. */
export function dragged(view: MapView, size: Size, dx: number, dy: number): MapView {
  const scale = scaleOf(size, view.zoom);
  return inside({ ...view, lng: view.lng - dx / (squeeze * scale), lat: view.lat + dy / scale }, size);
}

/** The view that shows a part of the world with some room around it. */
export function fitted({ west, east, south, north }: Box, size: Size): MapView {
  const one = scaleOf(size, 1);
  const zoom = Math.min(size.width / (Math.max(0.1, east - west) * squeeze), size.height / Math.max(0.1, north - south)) / (1.3 * one);
  return inside({ lng: (west + east) / 2, lat: (south + north) / 2, zoom }, size);
}

/** The box around the largest part of a shape, so that islands far away do not count. */
export function boxOf(shape: Geometry): Box | undefined {
  const polygons = shape.type === 'Polygon' ? [shape.coordinates] : shape.type === 'MultiPolygon' ? shape.coordinates : [];
  const boxes = polygons.flatMap(([outline]) => (outline === undefined ? [] : [boxAround(outline)]));
  return boxes.sort((a, b) => areaOf(b) - areaOf(a))[0];
}

const areaOf = ({ west, east, south, north }: Box) => (east - west) * (north - south);

function boxAround(points: readonly Position[]): Box {
  const box = { west: Infinity, east: -Infinity, south: Infinity, north: -Infinity };
  for (const [x = 0, y = 0] of points) {
    box.west = Math.min(box.west, x);
    box.east = Math.max(box.east, x);
    box.south = Math.min(box.south, y);
    box.north = Math.max(box.north, y);
  }
  return box;
}

const radians = Math.PI / 180;
const globe = 6371.0088;

/** The box around a circle on the globe, of a radius in km. */
export function boxOfCircle({ lat, lng, km }: { lat: number; lng: number; km: number }): Box {
  const high = Math.max(0.05, km / (globe * radians));
  const wide = Math.min(180, high / Math.max(0.05, Math.cos(lat * radians)));
  return { west: lng - wide, east: lng + wide, south: Math.max(-90, lat - high), north: Math.min(90, lat + high) };
}

/** The outline of a circle on the globe, in degrees. It runs on across 180° instead of back, and along the edge where it holds a pole. */
export function outlineOf({ lat, lng, km }: { lat: number; lng: number; km: number }, steps = 96): [number, number][] {
  const far = Math.min(Math.PI - 1e-6, km / globe);
  const [sin, cos] = [Math.sin(lat * radians), Math.cos(lat * radians)];
  const points: [number, number][] = [];
  for (let i = 0; i <= steps; i++) {
    const turn = (2 * Math.PI * i) / steps;
    const up = Math.asin(Math.min(1, Math.max(-1, sin * Math.cos(far) + cos * Math.sin(far) * Math.cos(turn))));
    let x = lng + Math.atan2(Math.sin(turn) * Math.sin(far) * cos, Math.cos(far) - sin * Math.sin(up)) / radians;
    const before = points.at(-1)?.[0] ?? x;
    x += 360 * Math.round((before - x) / 360);
    points.push([x, up / radians]);
  }
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || Math.abs(last[0] - first[0]) < 180) return points;
  const pole = lat >= 0 ? 90 : -90;
  return [...points, [last[0], pole], [first[0], pole]];
}
