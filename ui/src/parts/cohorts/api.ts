import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { read, upload, write, writeFor } from '../../api/client';
import * as v from '../../api/schema';

/** What people did, did not, or did for the first time. */
export const kinds = ['did', 'didnt', 'first'] as const;

/** A condition on what people did. Times is how often: a number, or an object of bounds. */
export const Step = v.object({
  event: v.string(),
  type: v.fallback(v.picklist(kinds), 'did'),
  period: v.string(),
  times: v.optional(v.unknown()),
  query: v.fallback(v.record(v.unknown()), {}),
  conj: v.optional(v.string()),
  within: v.optional(v.number()),
});
export type Step = v.Of<typeof Step>;

/** A cohort as it is kept. Times are in ms. */
export const Cohort = v.object({
  _id: v.string(),
  name: v.string(),
  description: v.fallback(v.text, ''),
  type: v.fallback(v.picklist(['auto', 'manual']), 'auto'),
  steps: v.fallback(v.array(Step), []),
  user_segmentation: v.fallback(v.record(v.unknown()), {}),
  visibility: v.fallback(v.picklist(['global', 'private']), 'global'),
  shared_email_edit: v.fallback(v.array(v.text), []),
  created_at: v.number(),
  state: v.string(),
  result: v.number(),
  last_calculated: v.fallback(v.number(), 0),
  /** Its people are those of now. */
  live: v.fallback(v.boolean(), false),
  /** Why it is calculated on schedule. */
  scheduled: v.fallback(v.picklist(['', 'cohorts', 'user_properties', 'defined_events', 'memory']), ''),
});
export type Cohort = v.Of<typeof Cohort>;

/** A page of members and the history of a cohort. */
export const Data = v.object({ _id: v.string(), data: v.record(v.unknown()) });

/** The size of a cohort at the end of a day (2031-05-14), and how many came and left on it. */
export interface Day {
  day: string;
  size: number;
  entered: number;
  left: number;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const numberOf = (value: unknown) => (typeof value === 'number' ? value : 0);

/** The days of a history, the first one first. A history lies by year, month and day. */
export function historyOf(data: Readonly<Record<string, unknown>>): Day[] {
  const two = (text: string) => text.padStart(2, '0');
  const days = Object.entries(data).flatMap(([year, months]) =>
    !/^\d{4}$/.test(year) || !isObject(months)
      ? []
      : Object.entries(months).flatMap(([month, list]) =>
          !isObject(list)
            ? []
            : Object.entries(list).map(([date, d]): Day => {
                const of = isObject(d) ? d : {};
                return { day: `${year}-${two(month)}-${two(date)}`, size: numberOf(of.c), entered: numberOf(of.in), left: numberOf(of.out) };
              }),
        ),
  );
  return days.sort((a, b) => a.day.localeCompare(b.day));
}

/** The last days up to one: the size of a day without a calculation is that of the day before, undefined before the first. */
export function lastDays(history: readonly Day[], days: readonly string[]): (Omit<Day, 'size'> & { size: number | undefined })[] {
  return days.map((day) => {
    const found = history.find((d) => d.day === day);
    const before = found ?? history.filter((d) => d.day < day).at(-1);
    return { day, size: before?.size, entered: found?.entered ?? 0, left: found?.left ?? 0 };
  });
}

/** The cohorts of an app that one sees. */
export function cohortList(appID: string) {
  return queryOptions({
    queryKey: ['cohorts', appID, 'list'],
    queryFn: ({ signal }) => read('/o', v.array(Cohort), { method: 'get_cohorts', app_id: appID }, signal),
    refetchInterval: ({ state }) => (state.data?.some((c) => c.state === 'calculating') === true ? 1000 : false),
  });
}

/** The names of cohorts by their ids. */
export function cohortNames(appID: string) {
  return queryOptions({
    queryKey: ['cohorts', appID, 'names'],
    queryFn: ({ signal }) => read('/o', v.record(v.text), { method: 'get_cohort_list', app_id: appID }, signal),
    staleTime: 30_000,
    retry: false,
  });
}

/** One cohort; null when there is none of that id. */
export function cohort(appID: string, id: string) {
  return queryOptions({
    queryKey: ['cohorts', appID, 'one', id],
    queryFn: async ({ signal }) => {
      const found = await read('/o', v.union([Cohort, v.literal(false)]), { method: 'get_cohort', app_id: appID, cohort: id }, signal);
      return found === false ? null : found;
    },
    refetchInterval: ({ state }) => (state.data?.state === 'calculating' ? 1000 : state.data?.live === true ? 5000 : 30_000),
  });
}

/** How many cohorts' histories come at a time. */
const mostHistories = 50;

/** The histories of cohorts by their ids; those of the first fifty. */
export function histories(appID: string, ids: readonly string[]) {
  const asked = ids.slice(0, mostHistories);
  return queryOptions({
    queryKey: ['cohorts', appID, 'histories', asked],
    queryFn: async ({ signal }) => {
      const list = await read('/o', v.array(Data), { method: 'cohortdata', app_id: appID, cohorts: JSON.stringify(asked), iDisplayLength: 1 }, signal);
      return Object.fromEntries(list.map(({ _id, data }) => [_id, historyOf(data)]));
    },
    enabled: asked.length > 0,
  });
}

/** How many people conditions select, and of how many. */
export const Preview = v.object({ users: v.number(), of: v.number() });

/** What is sent of conditions. */
export interface Conditions {
  steps: object[];
  user_segmentation: object;
}

/** How many people conditions select now. */
export function preview(appID: string, { steps, user_segmentation }: Conditions) {
  const asked = { app_id: appID, steps: JSON.stringify(steps), user_segmentation: JSON.stringify(user_segmentation) };
  return queryOptions({ queryKey: ['cohorts', appID, 'preview', asked], queryFn: ({ signal }) => read('/o/cohorts/preview', Preview, asked, signal), retry: false });
}

function useCohortWrite<T, R>(appID: string, run: (change: T) => Promise<R>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn: run, onSuccess: () => queries.invalidateQueries({ queryKey: ['cohorts', appID] }) });
}

/** What is sent of a cohort. */
export interface Sent extends Partial<Conditions> {
  cohort_name: string;
  cohort_desc: string;
  type: 'auto' | 'manual';
  visibility: 'global' | 'private';
  shared_email_edit: string[];
}

const Added = v.object({ result: v.string(), duplicate: v.boolean() });

/** Keeps a new cohort, or changes the one of an id; answers with the id, and whether there was a cohort of the same people already. */
export function useSaveCohort(appID: string) {
  return useCohortWrite(appID, async ({ id, sent }: { id?: string | undefined; sent: Sent }) => {
    const asked = {
      app_id: appID,
      ...sent,
      shared_email_edit: JSON.stringify(sent.shared_email_edit),
      ...(sent.steps === undefined ? {} : { steps: JSON.stringify(sent.steps) }),
      ...(sent.user_segmentation === undefined ? {} : { user_segmentation: JSON.stringify(sent.user_segmentation) }),
    };
    if (id === undefined) return writeFor('/i/cohorts/add', Added, asked);
    await write('/i/cohorts/edit', { ...asked, cohort_id: id });
    return { result: id, duplicate: false };
  });
}

/** Deletes a cohort. */
export function useDeleteCohort(appID: string) {
  return useCohortWrite(appID, (id: string) => write('/i/cohorts/delete', { app_id: appID, cohort_id: id }));
}

/** Has a cohort calculated. */
export function useCalculate(appID: string) {
  return useCohortWrite(appID, (id: string) => write('/i/cohorts/recalculate', { app_id: appID, cohort_id: id }));
}

/** What became of a list of people. */
export const Report = v.object({ matched: v.number(), changed: v.number(), unmatched: v.array(v.text), missed: v.number() });
export type Report = v.Of<typeof Report>;

/** People to put into a profile group: lines of device ids or numbers, a file of them, numbers, or those whom a filter selects. */
export interface Listed {
  id: string;
  text?: string;
  file?: File | undefined;
  uids?: readonly string[] | (() => Promise<string[]>);
  query?: object;
}

/** Puts people into a profile group. */
export function useAddPeople(appID: string) {
  return useCohortWrite(appID, async ({ id, text = '', file, uids, query }: Listed) => {
    const form = new FormData();
    form.set('app_id', appID);
    form.set('cohort', id);
    if (text.trim() !== '') form.set('text', text);
    if (uids !== undefined) form.set('uids', JSON.stringify(typeof uids === 'function' ? await uids() : uids));
    if (query !== undefined) form.set('query', JSON.stringify(query));
    if (file !== undefined) form.set('import_file', file);
    return upload('/i/cohorts/add_users', Report, form);
  });
}

/** Takes people out of a profile group, by their numbers. */
export function useRemovePeople(appID: string) {
  return useCohortWrite(appID, ({ id, uids }: { id: string; uids: readonly string[] }) => writeFor('/i/cohorts/remove_users', Report, { app_id: appID, cohort: id, uids: JSON.stringify(uids) }));
}

/** The days of a chart: so many up to the last one. */
export const chartDays = 30;

export type Course = ReturnType<typeof lastDays>[number];
