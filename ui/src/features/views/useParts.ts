import { useQuery, type QueryKey, type UseQueryOptions } from '@tanstack/react-query';
import type { Against } from '../../lib/change';
import type { Period } from '../../lib/period';
import { useTime, useWholeDays } from '../../lib/useView';
import type { App } from '../../access/apps';
import type { ViewFigures } from '../../parts/views/api';

const nothing: ViewFigures = { t: 0, u: 0, n: 0, s: 0, e: 0, b: 0, d: 0, scr: 0, uvalue: 0, uvc: 0, 'd-calc': 0, 'scr-calc': 0, br: 0 };

/** The figures of the parts of the chosen period and of the one compared with that can be compared: whole days, as views are counted. */
export function useParts<T extends ViewFigures | null, K extends QueryKey>(
  app: App,
  read: (p: Period) => UseQueryOptions<T, Error, T, K>,
): { parts: { now: ViewFigures; before: ViewFigures; against: Against } | undefined; tooEarly: boolean } {
  const { period } = useTime(app);
  const { parts, asked } = useWholeDays(app);
  const now = useQuery({ ...read(parts === undefined ? period : { kind: 'custom', ...parts.now }), enabled: parts !== undefined }).data;
  const before = useQuery({ ...read(parts === undefined ? period : { kind: 'custom', ...parts.before }), enabled: parts !== undefined }).data;
  if (parts === undefined || now === undefined || before === undefined) return { parts: undefined, tooEarly: asked && parts === undefined };
  return { parts: { now: now ?? nothing, before: before ?? nothing, against: parts.against }, tooEarly: false };
}
