import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { read, write, writeFor } from '../../api/client';
import * as v from '../../api/schema';
import { byColumn, type Listing } from '../../components/table/listing';
import { follow } from './load';

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
