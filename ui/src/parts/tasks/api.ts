import type { TFunction } from 'i18next';
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
