import { decoders } from '../metrics/definitions';
import type { Logged } from './api';

/** Where a request came from, as far as that is known. */
export function placeOf({ l }: Logged, language: string): string {
  const decode = decoders(language);
  return [l.cty, l.cc === '' ? '' : decode.countries(l.cc)].filter((text) => text !== '' && text !== 'Unknown').join(', ');
}
