import { queryOptions, useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { read, write } from '../../api/client';
import * as v from '../../api/schema';
import { toasts } from '../../components/toasts';
import { isLive, Task } from '../tasks/api';

const lastLoad = (appID: string) => ['demo', appID, 'load'] as const;

/** The last load into an app, as a task; null when there was none. */
export function loadOf(appID: string) {
  return queryOptions({
    queryKey: lastLoad(appID),
    queryFn: ({ signal }) => newest(appID, signal),
  });
}

async function newest(appID: string, signal?: AbortSignal): Promise<Task | null> {
  const params = { app_id: appID, query: { type: 'populator' }, iSortCol_0: 7, sSortDir_0: 'desc', iDisplayLength: 1 };
  const { aaData } = await read('/o/tasks/list', v.object({ aaData: v.array(Task) }), params, signal);
  return aaData[0] ?? null;
}

const followed = new WeakMap<QueryClient, Set<string>>();
const pause = 700; // ms

/** Follows a load until it has ended, whatever page is shown; then says so and has everything read again. */
export async function follow(queries: QueryClient, t: TFunction, appID: string, id: string): Promise<void> {
  const ids = followed.get(queries) ?? new Set();
  followed.set(queries, ids);
  if (ids.has(id)) return;
  ids.add(id);
  for (;;) {
    const last = await newest(appID).catch(() => undefined); // the server may be away
    const task = last === undefined || last?._id === id ? last : null; // null: it was deleted
    if (last !== undefined) queries.setQueryData(lastLoad(appID), last);
    if (task === null) toasts.show(t('demo.stopped'));
    else if (task?.status === 'completed') toasts.show(t('demo.done'));
    else if (task !== undefined && !isLive(task)) toasts.show(t('state.failed', { message: task.errormsg ?? task.status }), 'failed');
    if (task === null || (task !== undefined && !isLive(task))) break;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  await queries.invalidateQueries();
}

/** The load that is on its way into an app, if one is. */
export function useLiveLoad(appID: string): Task | undefined {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { data } = useQuery(loadOf(appID));
  const live = data && isLive(data) ? data : undefined;
  const id = live?._id;
  useEffect(() => {
    if (id !== undefined) void follow(queries, t, appID, id);
  }, [queries, t, appID, id]);
  return live;
}

/** Stops a load; what it has sent stays. */
export function useStopLoad(appID: string) {
  return useMutation({ mutationFn: (id: string) => write('/i/tasks/delete', { app_id: appID, task_id: id }) });
}
