import type { Position } from 'geojson';
import { expect, it } from 'vitest';
import { world } from './world';

it('draws no line across the whole map', () => {
  const leaps = (points: Position[]) => points.some(([x = 0], i) => i > 0 && Math.abs(x - (points[i - 1]?.[0] ?? x)) > 180);
  for (const { geometry } of world().features) {
    const polygons = geometry.type === 'MultiPolygon' ? geometry.coordinates : geometry.type === 'Polygon' ? [geometry.coordinates] : [];
    expect(polygons.flat().some(leaps)).toBe(false);
  }
});

it('knows countries by their code', () => {
  const codes = world().features.map((f) => String(f.properties?.code));
  expect(codes).toEqual(expect.arrayContaining(['DE', 'US', 'PE', 'JP', 'ZA']));
  expect(codes).not.toContain('AQ');
  expect(new Set(codes).size).toBe(codes.length);
  expect(codes.filter((c) => c.length === 2).length).toBeGreaterThan(170);
});
