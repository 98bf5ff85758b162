import { decoders, unknown } from '../../parts/metrics/definitions';
import type { Logged } from './api';

/** Where a request came from, as far as that is known. */
export function placeOf({ l }: Logged, language: string): string {
  const known = (text: string, decode = (name: string) => name) => (text === '' || text === unknown ? [] : [decode(text)]);
  return [...known(l.cty), ...known(l.cc, decoders(language).countries)].join(', ');
}
