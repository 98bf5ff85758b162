import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { read, write, writeFor } from '../../api/client';
import * as v from '../../api/schema';
import { Task, isLive } from './api';

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
