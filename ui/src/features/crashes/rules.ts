import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { read, writeFor } from '../../api/client';
import * as v from '../../api/schema';

/** What conditions of rules compare: texts of frames, and of whole reports. */
export const frameTexts = ['function', 'file', 'line'] as const;
export const reportTexts = ['type', 'message', 'error', 'os', 'fatality'] as const;
export type Compared = (typeof frameTexts)[number] | (typeof reportTexts)[number];

/** What a rule says of frames. */
export const frameDoes = ['app', 'system', 'ignore'] as const;
export type FrameDoes = (typeof frameDoes)[number];

const Condition = v.object({ what: v.string(), pattern: v.text, not: v.optional(v.boolean()) });
export type Condition = v.Of<typeof Condition>;

/** The rules of an app for groups of crashes. */
export const Rules = v.object({
  algorithm: v.number(),
  stack: v.array(v.object({ match: v.array(Condition), do: v.string() })),
  fingerprints: v.array(v.object({ match: v.array(Condition), parts: v.array(v.text) })),
});
export type Rules = v.Of<typeof Rules>;

/** The rules with what is known of them; version 0 means that there were none. The time is in ms. */
export const KeptRules = v.object({ rules: Rules, version: v.number(), at: v.number(), by: v.text, pins: v.number(), merged: v.number() });
export type KeptRules = v.Of<typeof KeptRules>;

/** The rules of an app. */
export function rules(appID: string) {
  return queryOptions({
    queryKey: ['crashes', appID, 'rules'],
    queryFn: ({ signal }) => read('/o', KeptRules, { method: 'crash_rules', app_id: appID }, signal),
  });
}

/** What rules would change: groups before and after, and those that change with where their reports come from. */
export const Preview = v.object({
  before: v.number(),
  after: v.number(),
  changed: v.number(),
  reports: v.number(),
  groups: v.array(
    v.object({
      _id: v.string(),
      name: v.text,
      nonfatal: v.boolean(),
      reports: v.number(),
      new: v.boolean(),
      from: v.array(v.object({ _id: v.string(), name: v.text, reports: v.number() })),
      origins: v.number(),
    }),
  ),
});
export type Preview = v.Of<typeof Preview>;

/** What rules would change. */
export function preview(appID: string, draft: Rules | undefined) {
  return queryOptions({
    queryKey: ['crashes', appID, 'preview', draft],
    queryFn: ({ signal }) => read('/o/crashes/preview_rules', Preview, { app_id: appID, rules: JSON.stringify(draft) }, signal),
    enabled: draft !== undefined,
    staleTime: 10_000,
    retry: false,
  });
}

/** Has rules hold. The answer names the task that regroups what there is. */
export function useChangeRules(appID: string) {
  return useMutation({
    mutationFn: async ({ draft, version }: { draft: Rules; version: number }) =>
      (await writeFor('/i/crashes/rules', v.object({ task: v.string() }), { app_id: appID, rules: JSON.stringify(draft), version })).task,
  });
}

const State = v.object({ status: v.string(), errormsg: v.optional(v.text) });

/** How the task that regroups is doing; asked for until it ends. */
export function regrouping(appID: string, task: string | undefined) {
  return queryOptions({
    queryKey: ['crashes', appID, 'regrouping', task],
    queryFn: ({ signal }) => read('/o/tasks/task', State, { app_id: appID, task_id: task, only_info: true }, signal),
    enabled: task !== undefined,
    refetchInterval: (query) => (query.state.data === undefined || query.state.data.status === 'running' ? 1000 : false),
  });
}

/** Forgets what is known of the crashes of an app. */
export function useForget(appID: string): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: ['crashes', appID] });
}

/** How many parts a fingerprint has at most. */
export const maxParts = 10;

/** Whether rules can be sent: every rule has conditions with a pattern, and fingerprints have parts, none of which is empty. */
export const complete = (r: Rules): boolean =>
  [...r.stack, ...r.fingerprints].every((rule) => rule.match.length > 0 && rule.match.every((c) => c.pattern !== '')) && r.fingerprints.every((f) => f.parts.length > 0 && f.parts.every((part) => part !== ''));
