import { queryOptions } from '@tanstack/react-query';
import { read } from '../../api/client';
import * as v from '../../api/schema';
import { wirePeriod, type Period } from '../../lib/period';

/** A note that people pinned to a moment, in ms. */
export const Note = v.object({
  _id: v.string(),
  note: v.string(),
  ts: v.number(),
  noteType: v.string(),
  owner: v.string(),
  owner_name: v.string(),
});
export type Note = v.Of<typeof Note>;

/** The notes of a period, newest first. */
export function notes(app: { _id: string; timezone: string }, p: Period) {
  const period = wirePeriod(p, app.timezone);
  return queryOptions({
    queryKey: ['notes', app._id, period],
    queryFn: async ({ signal }) => (await read('/o/notes', v.object({ aaData: v.array(Note) }), { app_id: app._id, notes_apps: [app._id], period }, signal)).aaData,
    staleTime: 30_000,
  });
}
