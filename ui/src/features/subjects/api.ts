import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { read, write } from '../../api/client';
import { byColumn, byField, type Listing } from '../../components/table/listing';
import { taskOf } from '../../lib/file';
import type { Profile } from '../profiles/api';

/** What a search may look at. */
export const findBy = ['did', 'name', 'username', 'email', 'phone', 'uid', '_id'] as const;

/** A person whom a search may mean. Times in seconds. */
export interface Subject {
  _id: string;
  uid: string;
  did: string;
  name?: string;
  username?: string;
  email?: string;
  phone?: string;
  cc?: string;
  sc: number;
  fac?: number;
  lac?: number;
}

/** The people whom the text of a search may mean; by one of what they are found by, or any. */
export function subjectList(appID: string, by: string | undefined): Listing {
  return { key: ['subjects', 'found'], path: '/o/data_subjects', params: { app_id: appID, by }, order: byField, most: 1000 };
}

export interface Held {
  app_user: Profile;
  counts: Record<string, number>;
}

/** What is held about a person. */
export function held(appID: string, uid: string) {
  return queryOptions({
    queryKey: ['subjects', 'held', appID, uid],
    queryFn: ({ signal }) => read<Held>('/o/data_subjects/held', { app_id: appID, uid }, signal),
  });
}

/** An erasure. Times in ms, 0 for not yet. */
export interface Erasure {
  _id: string;
  uids: number[];
  state: string;
  reason?: string;
  /** Whether a profile was deleted, without an order to erase. */
  deletion?: boolean;
  by: string;
  requested: number;
  done: number;
  held?: Record<string, number>;
}

export const erasureStates = ['running', 'cleaning', 'done'] as const;

export function erasures(appID: string): Listing {
  return { key: ['subjects', 'erasures'], path: '/o/data_subjects/erasures', params: { app_id: appID }, order: byColumn(['requested', 'state', 'by', 'done']), most: 1000 };
}

/** Has everything about a person collected; answers the task's id, under which the file is downloaded. */
export function useExportSubject(appID: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (uid: string) => taskOf(await write('/i/data_subjects/export', { app_id: appID, uid })) ?? '',
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
