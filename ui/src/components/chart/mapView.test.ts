import { describe, expect, it } from 'vitest';
import { shade } from './mapDraw';
import { keyed } from './mapMoves';
import { boxOf, boxOfCircle, closest, dragged, fitted, outlineOf, placed, pointAt, whole, zoomed } from './mapView';

const size = { width: 1000, height: 420 };

describe('a view of the world', () => {
  it('finds the point that it drew', () => {
    for (const view of [whole, zoomed(whole, size, 7, 300, 100)]) {
      const [x, y] = placed(view, size, 13.4, 52.5);
      const at = pointAt(view, size, x, y);
      expect(at.lng).toBeCloseTo(13.4);
      expect(at.lat).toBeCloseTo(52.5);
    }
  });

  it('has longitudes from -180 to 180 across the line', () => {
    const [x, y] = placed(whole, size, 185, 0);
    expect(pointAt(whole, size, x, y).lng).toBeCloseTo(-175);
  });

  it('keeps what is under the pointer there while it zooms', () => {
    const near = zoomed(whole, size, 4, 600, 150);
    const [was, is] = [pointAt(whole, size, 600, 150), pointAt(near, size, 600, 150)];
    expect([is.lng, is.lat].map((n) => n.toFixed(6))).toEqual([was.lng, was.lat].map((n) => n.toFixed(6)));
  });

  it('zooms from the whole world to the closest, and no further', () => {
    expect(zoomed(whole, size, 0.1)).toEqual(whole);
    expect(zoomed(whole, size, 1e6).zoom).toBe(closest);
  });

  it('does not leave the world', () => {
    expect(dragged(whole, size, 500, 500)).toEqual(whole);
    const near = zoomed(whole, size, 4);
    const corner = dragged(near, size, 1e6, -1e6);
    expect(placed(corner, size, -180, -57).map(Math.round)).toEqual([0, 420]);
  });

  it('moves by keys', () => {
    const near = zoomed(whole, size, 4);
    expect(keyed('ArrowLeft', near, size)?.lng).toBeLessThan(near.lng);
    expect(keyed('ArrowUp', near, size)?.lat).toBeGreaterThan(near.lat);
    expect(keyed('+', near, size)?.zoom).toBeGreaterThan(near.zoom);
    expect(keyed('-', near, size)?.zoom).toBeLessThan(near.zoom);
    expect(keyed('0', near, size)).toEqual(whole);
    expect(keyed('a', near, size)).toBeUndefined();
  });

  it('shows a part with room around it', () => {
    const box = { west: 6, east: 15, south: 47, north: 55 };
    const view = fitted(box, size);
    const [left, top] = placed(view, size, box.west, box.north);
    const [right, bottom] = placed(view, size, box.east, box.south);
    expect(Math.min(left, top)).toBeGreaterThan(0);
    expect(right).toBeLessThan(size.width);
    expect(bottom).toBeLessThan(size.height);
    expect(bottom - top).toBeGreaterThan(size.height / 2);
  });
});

it('boxes the largest part of a country', () => {
  const square = (x: number, y: number, side: number) => [[[x, y], [x + side, y], [x + side, y + side], [x, y + side], [x, y]]];
  expect(boxOf({ type: 'MultiPolygon', coordinates: [square(-60, 0, 2), square(0, 40, 10)] })).toEqual({ west: 0, east: 10, south: 40, north: 50 });
  expect(boxOf({ type: 'Point', coordinates: [1, 2] })).toBeUndefined();
});

describe('a circle on the globe', () => {
  it('is as far everywhere from its middle', () => {
    const radians = Math.PI / 180;
    for (const [lng, lat] of outlineOf({ lat: 52.5, lng: 13.4, km: 500 })) {
      const h = Math.sin(((lat - 52.5) * radians) / 2) ** 2 + Math.cos(52.5 * radians) * Math.cos(lat * radians) * Math.sin(((lng - 13.4) * radians) / 2) ** 2;
      expect(2 * 6371.0088 * Math.asin(Math.sqrt(h))).toBeCloseTo(500, 3);
    }
  });

  it('runs on across 180°', () => {
    const xs = outlineOf({ lat: 0, lng: 179, km: 500 }).map(([x]) => x);
    expect(Math.max(...xs)).toBeGreaterThan(180);
    expect(Math.max(...xs) - Math.min(...xs)).toBeLessThan(20);
  });

  it('runs along the edge where it holds a pole', () => {
    expect(outlineOf({ lat: 89, lng: 0, km: 500 }).slice(-2).map(([, y]) => y)).toEqual([90, 90]);
    expect(outlineOf({ lat: -89, lng: 0, km: 500 }).slice(-2).map(([, y]) => y)).toEqual([-90, -90]);
  });

  it('has a box even where it is tiny or holds a pole', () => {
    const tiny = boxOfCircle({ lat: 10, lng: 20, km: 0.001 });
    expect(tiny.east - tiny.west).toBeGreaterThan(0.05);
    expect(boxOfCircle({ lat: 89.9, lng: 0, km: 2000 })).toMatchObject({ west: -180, east: 180, north: 90 });
  });
});

it('mixes the colours of a scale', () => {
  const colors = ['#000000', '#ffffff', '#ff0000'];
  expect([0, 0.25, 0.5, 1, 2].map((share) => shade(colors, share))).toEqual(['rgb(0,0,0)', 'rgb(128,128,128)', 'rgb(255,255,255)', 'rgb(255,0,0)', 'rgb(255,0,0)']);
});
