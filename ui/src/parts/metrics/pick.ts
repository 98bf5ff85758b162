import { withValue } from '../../lib/narrow';
import { keyOf, other, type Dimension } from './definitions';

/** A filter, as JSON, narrowed to a value of a dimension, or without it where it was; all others together are no value. */
export function picked(filter: string, dimension: Dimension, value: string): string {
  return value === other ? filter : withValue(filter, `up.${keyOf(dimension)}`, value);
}
