import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { read, write, writeFor } from '../../api/client';
import * as v from '../../api/schema';
import { byColumn, type Listing } from '../../components/table/listing';

export const taskStates = ['running', 'rerunning', 'completed', 'errored'] as const;
export type TaskState = (typeof taskStates)[number];

/** Long work of the server. Times in ms, absent for never. */
export const Task = v.object({
  _id: v.string(),
  status: v.string(),
  type: v.string(),
  app_id: v.string(),
  creator: v.string(),
  report_name: v.string(),
  report_desc: v.optional(v.string()),
  name: v.optional(v.string()),
  global: v.boolean(),
  ts: v.number(),
  start: v.optional(v.number()),
  end: v.optional(v.number()),
  errormsg: v.optional(v.string()),
  /** A total of 0 is not known. */
  progress: v.optional(v.object({ done: v.number(), total: v.number() })),
  hasData: v.boolean(),
  file: v.optional(v.object({ name: v.string(), type: v.string(), size: v.number() })),
  data: v.optional(v.unknown()),
});
export type Task = v.Of<typeof Task>;

/** Whether a task is on its way. */
export function isLive({ status }: Task): boolean {
  return status === 'running' || status === 'rerunning';
}

/** What a task is called: the name that people gave it, else that of its report. */
export function nameOfTask({ name, report_name, type }: Task): string {
  return [name, report_name, type].find((text) => text !== undefined && text !== '') ?? '–';
}

/** The kind of a task, in words. */
export function typeOfTask(t: TFunction, { type }: Task): string {
  return t(`tasks.types.${type as 'tableExport'}`, { defaultValue: type });
}

/** The tasks that one may see: of an app, or of all apps and none. */
export function taskList(anyApp: string, { app, state }: { app?: string; state?: string }): Listing<Task> {
  return {
    key: ['tasks', 'list'],
    path: '/o/tasks/list',
    params: {
      app_id: app ?? anyApp,
      data_source: app === undefined ? 'all' : undefined,
      query: state === undefined ? undefined : { status: state },
    },
    row: Task,
    order: byColumn(['name', 'status', 'type', '', 'app', 'creator', 'start', 'ts', 'end']),
    most: 1000,
  };
}

/** One task with its result, if that is JSON. */
export function task(anyApp: string, id: string) {
  return queryOptions({
    queryKey: ['tasks', 'one', id],
    queryFn: ({ signal }) => read('/o/tasks/task', Task, { app_id: anyApp, task_id: id }, signal),
    refetchInterval: ({ state }) => (state.data !== undefined && isLive(state.data) ? 1500 : false),
  });
}

function useTaskWrite<T extends object>(run: (change: T) => Promise<unknown>, changed: readonly string[] = ['tasks']) {
  const queries = useQueryClient();
  return useMutation({ mutationFn: run, onSuccess: () => queries.invalidateQueries({ queryKey: changed }) });
}

/** "Success", or why not. */
export const Outcome = v.object({ result: v.string() });

/** Does a task again. The server says in words why it does not. */
export function useRerun(anyApp: string) {
  return useTaskWrite(async ({ id }: { id: string }) => {
    const { result } = await writeFor('/i/tasks/update', Outcome, { app_id: anyApp, task_id: id });
    if (result !== 'Success') throw new Error(result);
  });
}

export interface TaskText {
  id: string;
  name: string;
  description: string;
  /** Whether everyone who may read the app sees the task. */
  shared: boolean;
}

/** Names and describes a task. */
export function useEditTask(anyApp: string) {
  return useTaskWrite(async ({ id, name, description, shared }: TaskText) => {
    await write('/i/tasks/name', { app_id: anyApp, task_id: id, name });
    await write('/i/tasks/edit', { app_id: anyApp, task_id: id, report_desc: description, global: shared });
  });
}

export function useDeleteTask(anyApp: string) {
  return useTaskWrite(({ id }: { id: string }) => write('/i/tasks/delete', { app_id: anyApp, task_id: id }), ['tasks', 'list']);
}
