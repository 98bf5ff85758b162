import { queryOptions, useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { read, write, writeFor } from '../../api/client';
import * as v from '../../api/schema';
import { byColumn, type Listing } from '../../components/table/listing';
import { toasts } from '../../components/toasts';
import { isLive, Task } from '../tasks/api';

/** What an imagined app has and what its users do. */
export const Template = v.object({
  _id: v.string(),
  /** Empty for those that come with the server. */
  app_id: v.string(),
  name: v.string(),
  uniqueUserCount: v.number(),
  platformType: v.array(v.string()),
  lastEditedBy: v.string(),
  /** When it was made, in ms; 0 for those that come with the server. */
  generatedOn: v.number(),
  users: v.array(v.unknown()),
  events: v.array(v.unknown()),
  views: v.array(v.unknown()),
  sequences: v.array(v.unknown()),
  behavior: v.record(v.unknown()),
});
export type Template = v.Of<typeof Template>;

/** A population that was made up for an app. */
export const Environment = v.object({
  _id: v.string(),
  name: v.string(),
  templateId: v.string(),
  createdAt: v.number(),
});
export type Environment = v.Of<typeof Environment>;

/** Someone of a population. */
export const MadeUp = v.object({
  _id: v.string(),
  userName: v.string(),
  platform: v.string(),
  device: v.string(),
  appVersion: v.string(),
  deviceId: v.string(),
  custom: v.record(v.text),
});
export type MadeUp = v.Of<typeof MadeUp>;

export function templates(appID: string) {
  return queryOptions({
    queryKey: ['demo', appID, 'templates'],
    queryFn: ({ signal }) => read('/o/populator/templates', v.array(Template), { app_id: appID }, signal),
  });
}

export function environments(appID: string) {
  return queryOptions({
    queryKey: ['demo', appID, 'environments'],
    queryFn: ({ signal }) => read('/o/populator/environment/list', v.array(Environment), { app_id: appID }, signal),
  });
}

/** The people of a population. */
export function people(appID: string, { _id, templateId }: Environment): Listing<MadeUp> {
  return {
    key: ['demo', appID, 'people', _id],
    path: '/o/populator/environment/get',
    params: { app_id: appID, template_id: templateId, environment_id: _id },
    row: MadeUp,
    order: byColumn(['', 'userName', 'platform', 'device', 'appVersion']),
    most: 10_000,
  };
}

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
async function follow(queries: QueryClient, t: TFunction, appID: string, id: string): Promise<void> {
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

/** A task that has begun. */
export const Begun = v.object({ result: v.object({ task_id: v.string() }) });

export interface LoadFields {
  template: string;
  days: number;
  users: number;
  environment: string;
}

/** Starts to fill an app. */
export function useLoad(appID: string) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ template, days, users, environment }: LoadFields) =>
      writeFor('/i/populator/load', Begun, { app_id: appID, template_id: template, days, users, environment_name: environment }),
    onSuccess: ({ result }) => {
      void follow(queries, t, appID, result.task_id);
    },
  });
}

/** Stops a load; what it has sent stays. */
export function useStopLoad(appID: string) {
  return useMutation({ mutationFn: (id: string) => write('/i/tasks/delete', { app_id: appID, task_id: id }) });
}

export type TemplateFields = Pick<Template, 'name' | 'uniqueUserCount' | 'platformType' | 'users' | 'events' | 'views' | 'sequences' | 'behavior'>;

/** Makes a template, or changes the one of an id. */
export function useSaveTemplate(appID: string, id?: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (fields: TemplateFields) =>
      id === undefined
        ? write('/i/populator/templates/create', { app_id: appID, ...fields })
        : write('/i/populator/templates/edit', { app_id: appID, template_id: id, _id: id, ...fields }),
    onSuccess: () => queries.invalidateQueries({ queryKey: templates(appID).queryKey }),
  });
}

export function useRemoveTemplate(appID: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => write('/i/populator/templates/remove', { app_id: appID, template_id: id }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['demo', appID] }),
  });
}

/** Forgets a population; what it did stays in the app's data. */
export function useRemoveEnvironment(appID: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ _id, templateId }: Environment) =>
      write('/o/populator/environment/remove', { app_id: appID, template_id: templateId, environment_id: _id }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['demo', appID] }),
  });
}
