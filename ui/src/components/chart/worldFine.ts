import type { FeatureCollection } from 'geojson';
import fine from 'world-atlas/countries-50m.json';
import { bordersOf } from './world';

/** The borders of countries, finer than those of the whole world: for maps of a part of it. */
export function worldFine(): FeatureCollection {
  return bordersOf(fine);
}
