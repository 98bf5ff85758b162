import type { FeatureCollection, Geometry, Position } from 'geojson';
import codes from 'i18n-iso-countries/codes.json';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import data from 'world-atlas/countries-110m.json';

/** The borders of countries (Natural Earth), each with its ISO 3166 code of two letters. */
export function world(): FeatureCollection {
  return bordersOf(data);
}

/** The countries of an atlas. */
export function bordersOf(atlas: unknown): FeatureCollection {
  const alpha2 = new Map(codes.map(([two, , digits]) => [digits, two] as const));
  // eslint-disable-next-line quipu/uncast -- a file of a package that is part of the build
  const topology = atlas as Topology<{ countries: GeometryCollection<{ name: string }> }>;
  const all = feature(topology, topology.objects.countries);
  return {
    type: 'FeatureCollection',
    features: all.features
      .filter((f) => f.id !== '010') // Antarctica takes a fifth of the map and sends nothing
      .map((f) => ({ ...f, geometry: unwrapped(f.geometry), properties: { name: f.properties.name, code: alpha2.get(String(f.id)) ?? f.properties.name } })),
  };
}

/** Shapes that cross the line of 180° are drawn on across it, instead of back over the whole map. */
function unwrapped(shape: Geometry): Geometry {
  switch (shape.type) {
    case 'Polygon':
      return { ...shape, coordinates: shape.coordinates.map(ring) };
    case 'MultiPolygon':
      return { ...shape, coordinates: shape.coordinates.map((polygon) => polygon.map(ring)) };
    default:
      return shape;
  }
}

function ring(points: Position[]): Position[] {
  const crosses = points.some((p, i) => Math.abs((p[0] ?? 0) - (points[i - 1]?.[0] ?? p[0] ?? 0)) > 180);
  return crosses ? points.map(([x = 0, y = 0]) => [x < 0 ? x + 360 : x, y]) : points;
}
