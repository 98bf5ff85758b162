import { useFormat } from '../../i18n';
import type { Point } from './api';

/** Writes the most people of a bucket, with a sign where there may have been fewer. */
export function useBound(): (point: Point, figure: 'o' | 'n') => string {
  const format = useFormat();
  return (point, figure) => (point.bound === true ? `≤ ${format.count(point[figure])}` : format.count(point[figure]));
}
