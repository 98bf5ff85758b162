import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { read, write, writeFor } from '../../api/client';
import * as v from '../../api/schema';
import { wirePeriod, type Period } from '../../lib/period';

/** The app of a question, and its time zone. */
interface AppZone {
  _id: string;
  timezone: string;
}

/** A view that statements may read, with its columns. */
export const View = v.object({ name: v.string(), columns: v.array(v.object({ name: v.string(), type: v.picklist(['text', 'whole', 'number', 'truth', 'time']) })) });
export type View = v.Of<typeof View>;

/** The views of an app. */
export function schema(appID: string) {
  return queryOptions({ queryKey: ['sql', appID, 'schema'], queryFn: ({ signal }) => read('/o/sql/schema', v.array(View), { app_id: appID }, signal), staleTime: 60_000 });
}

/** What came of a statement: rows as lists, in the order of the columns; took is in ms. */
export const Result = v.object({
  columns: v.array(v.object({ name: v.string(), type: v.string() })),
  rows: v.array(v.array(v.unknown())),
  truncated: v.boolean(),
  read: v.number(),
  took: v.number(),
});
export type Result = v.Of<typeof Result>;

/** A statement with the days whose rows it is given. */
export interface Asked {
  sql: string;
  period: Period;
}

/** How a statement is sent. */
export const paramsOf = (app: AppZone, { sql, period }: Asked) => ({ app_id: app._id, sql, period: wirePeriod(period, app.timezone) });

/** Runs a statement; onTask gets the task that it goes on as, where it takes the server long. It ends when the signal says so. */
export const run = (app: AppZone, asked: Asked, signal: AbortSignal, onTask: (id: string | undefined) => void): Promise<Result> =>
  read('/o/sql', Result, { ...paramsOf(app, asked) }, signal, onTask);

/** The ways to draw a result. */
export const pictures = ['table', 'line', 'bar'] as const;
export type Picture = (typeof pictures)[number];

/** A statement that somebody kept. */
export const Saved = v.object({
  _id: v.string(),
  name: v.text,
  sql: v.text,
  period: v.unknown(),
  chart: v.fallback(v.picklist(pictures), 'table'),
  shared: v.boolean(),
  editable: v.boolean(),
  edited_at: v.number(),
});
export type Saved = v.Of<typeof Saved>;

/** One's own saved statements, and those that others share. */
export function saved(appID: string) {
  return queryOptions({ queryKey: ['sql', appID, 'saved'], queryFn: ({ signal }) => read('/o/sql/queries', v.array(Saved), { app_id: appID }, signal) });
}

export interface Sent {
  query_id?: string;
  name: string;
  sql: string;
  period: string;
  chart: Picture;
  shared: boolean;
}

/** Keeps a statement, and answers its id. */
export function useSave(appID: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (sent: Sent) => (await writeFor('/i/sql/save', v.object({ result: v.string() }), { app_id: appID, ...sent })).result,
    onSuccess: () => queries.invalidateQueries({ queryKey: ['sql', appID, 'saved'] }),
  });
}

/** Deletes a saved statement. */
export function useRemove(appID: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => write('/i/sql/delete', { app_id: appID, query_id: id }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['sql', appID, 'saved'] }),
  });
}
