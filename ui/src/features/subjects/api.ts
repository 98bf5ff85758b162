import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { read, write, writeFor } from '../../api/client';
import * as v from '../../api/schema';
import { byColumn, byField, type Listing } from '../../components/table/listing';
import { taskOf } from '../../lib/file';
import { Profile } from '../../parts/people/api';

/** What a search may look at. */
export const findBy = ['did', 'name', 'username', 'email', 'phone', 'uid', '_id'] as const;

/** A person whom a search may mean. Times in seconds. */
export const Subject = v.object({
  _id: v.string(),
  uid: v.string(),
  did: v.string(),
  name: v.optional(v.text),
  username: v.optional(v.text),
  email: v.optional(v.text),
  phone: v.optional(v.text),
  cc: v.optional(v.text),
  sc: v.number(),
  fac: v.optional(v.number()),
  lac: v.optional(v.number()),
});
export type Subject = v.Of<typeof Subject>;

/** The people whom the text of a search may mean; by one of what they are found by, or any. */
export function subjectList(appID: string, by: string | undefined): Listing<Subject> {
  return { key: ['subjects', 'found'], path: '/o/data_subjects', params: { app_id: appID, by }, row: Subject, order: byField, most: 1000 };
}

export const Held = v.object({
  app_user: Profile,
  counts: v.record(v.number()),
});
export type Held = v.Of<typeof Held>;

/** What is held about a person. */
export function held(appID: string, uid: string) {
  return queryOptions({
    queryKey: ['subjects', 'held', appID, uid],
    queryFn: ({ signal }) => read('/o/data_subjects/held', Held, { app_id: appID, uid }, signal),
  });
}

/** An erasure. Times in ms, 0 for not yet. */
export const Erasure = v.object({
  _id: v.string(),
  uids: v.array(v.number()),
  state: v.string(),
  reason: v.optional(v.string()),
  /** Whether a profile was deleted, without an order to erase. */
  deletion: v.optional(v.boolean()),
  by: v.string(),
  requested: v.number(),
  done: v.number(),
  held: v.optional(v.record(v.number())),
});
export type Erasure = v.Of<typeof Erasure>;

export const erasureStates = ['running', 'cleaning', 'done'] as const;

export function erasures(appID: string): Listing<Erasure> {
  return { key: ['subjects', 'erasures'], path: '/o/data_subjects/erasures', params: { app_id: appID }, row: Erasure, order: byColumn(['requested', 'state', 'by', 'done']), most: 1000 };
}

/** Has everything about a person collected; answers the task's id, under which the file is downloaded. */
export function useExportSubject(appID: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (uid: string) => taskOf(await writeFor('/i/data_subjects/export', v.unknown(), { app_id: appID, uid })) ?? '',
    onSuccess: () => queries.invalidateQueries({ queryKey: ['tasks'] }),
  });
}

/** Has a person erased. */
export function useEraseSubject(appID: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ uid, reason }: { uid: string; reason: string }) => write('/i/data_subjects/erase', { app_id: appID, uid, reason }),
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['subjects', 'erasures'] }),
        queries.invalidateQueries({ queryKey: ['subjects', 'found'] }),
        // The list alone: an export of the person, which may be open, goes with them.
        queries.invalidateQueries({ queryKey: ['tasks', 'list'] }),
        queries.invalidateQueries({ queryKey: ['profiles', appID] }),
      ]),
  });
}
