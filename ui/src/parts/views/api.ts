import { queryOptions } from '@tanstack/react-query';
import { read } from '../../api/client';
import * as v from '../../api/schema';
import { byField, type Listing } from '../../components/table/listing';
import type { Period } from '../../lib/period';
import { timed, type Scope } from '../figures/api';

/** What a view adds up to: visits, users, new users, starts, exits, bounces, seconds, scrolling. */
export const ViewFigures = v.object({
  t: v.number(),
  u: v.number(),
  n: v.number(),
  s: v.number(),
  e: v.number(),
  b: v.number(),
  d: v.number(),
  scr: v.number(),
  /** Users of the whole period. */
  uvalue: v.number(),
  /** Sessions that saw the view and were ended. */
  uvc: v.number(),
  /** Seconds and per cent of scrolling of a visit, per cent of the starts that bounced. */
  'd-calc': v.number(),
  'scr-calc': v.number(),
  br: v.number(),
});
export type ViewFigures = v.Of<typeof ViewFigures>;

/** A view with its figures. */
export const ViewRow = v.object({
  ...ViewFigures.entries,
  _id: v.string(),
  view: v.string(),
  display: v.optional(v.string()),
  url: v.optional(v.string()),
});
export type ViewRow = v.Of<typeof ViewRow>;

/** A view with the name that people gave it. */
export const ViewName = v.object({
  _id: v.string(),
  view: v.string(),
  display: v.optional(v.string()),
});
export type ViewName = v.Of<typeof ViewName>;

/** What views are cut by: a value of a segment, or nothing. */
export interface Cut {
  segment: string;
  value: string;
}

export type AppZone = Scope;

/** The parameters of a cut. */
export const cutParams = ({ segment, value }: Cut) => (segment === '' || value === '' ? {} : { segment, segmentVal: value });

/** The views of a period, which the server searches, orders and pages. */
export function viewList(app: AppZone, p: Period, cut: Cut): Listing<ViewRow> {
  const { params } = timed(app, p);
  return {
    key: ['views', app._id, 'table'],
    path: '/o',
    params: { ...params, ...cutParams(cut), method: 'views', action: 'getTable' },
    row: ViewRow,
    order: byField,
    most: 10_000,
  };
}

/** The figures of one view over a period; undefined when it has none. */
export function viewFigures(app: AppZone, view: ViewName, p: Period, cut: Cut) {
  const { params, options } = timed(app, p);
  return queryOptions({
    queryKey: ['views', app._id, 'one', view._id, params, cut],
    queryFn: async ({ signal }) => {
      const list = { ...params, ...cutParams(cut), method: 'views', action: 'getTable', sSearch: view.view };
      const { aaData } = await read('/o', v.object({ aaData: v.array(ViewRow) }), list, signal);
      return aaData.find((r) => r._id === view._id) ?? null;
    },
    ...options,
  });
}

/** The figures of all views together. */
export function viewTotals(app: AppZone, p: Period, cut: Cut) {
  const { params, options } = timed(app, p);
  return queryOptions({
    queryKey: ['views', app._id, 'totals', params, cut],
    queryFn: ({ signal }) => read('/o', ViewFigures, { ...params, ...cutParams(cut), method: 'views', action: 'getTotals' }, signal),
    ...options,
  });
}
