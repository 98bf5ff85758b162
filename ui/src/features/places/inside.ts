import { conditionsOf } from '../../lib/narrow';
import type { Cities } from './api';

/** The country that a filter narrows to, if it is one. */
export function countryOf(filter: string): string | undefined {
  for (const text of conditionsOf(filter)) {
    const code = /^\{"up\.cc":\{"\$in":\["([A-Z]{2})"\]\}\}$/.exec(text)?.[1];
    if (code !== undefined) return code;
  }
  return undefined;
}

/** Cities with their values where they lie. Of several with one name, the first counts: sessions do not say which it is. */
export function pointsOf(rows: readonly { _id: string; name: string; value: number }[], known: Cities | undefined) {
  const at = new Map([...(known?.cities ?? [])].reverse().map((c) => [c.name, c]));
  return rows
    .flatMap(({ _id, name, value }) => {
      const city = at.get(_id);
      return city === undefined || value <= 0 ? [] : [{ name, value, lat: city.lat, lng: city.lng }];
    })
    .sort((a, b) => b.value - a.value); // small ones on top of large ones
}
