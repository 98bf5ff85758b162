import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { read, write, writeFor } from '../../api/client';
import * as v from '../../api/schema';
import { serverAddress } from '../../lib/base';
import { sent, type Draft } from './values';

const Texts = v.fallback(v.array(v.text), []);

/** The tracker of an app. */
export const Settings = v.object({
  set_up: v.boolean(),
  tracker: v.text,
  address: v.text,
  project: v.text,
  auth: v.text,
  user: v.text,
  type: v.text,
  labels: Texts,
  todo: Texts,
  doing: Texts,
  done: Texts,
  resolve_groups: v.boolean(),
  reopen_groups: v.boolean(),
  close_issues: v.boolean(),
  reopen_issues: v.boolean(),
  has_token: v.boolean(),
  jira_address: v.text,
});
export type Settings = v.Of<typeof Settings>;

/** The tracker of an app. */
export function settings(appID: string) {
  return queryOptions({ queryKey: ['trackers', appID, 'settings'], queryFn: ({ signal }) => read('/o/trackers', Settings, { app_id: appID }, signal) });
}

/** The issue of a crash group. Times are in seconds. */
export const Issue = v.object({
  tracker: v.text,
  key: v.text,
  url: v.text,
  title: v.text,
  state: v.picklist(['open', 'doing', 'done']),
  status: v.text,
  lastChecked: v.number(),
  fault: v.fallback(v.text, ''),
  problem: v.fallback(v.text, ''),
});
export type Issue = v.Of<typeof Issue>;

const Linked = v.object({ issue: v.nullable(Issue) });

/** The issue of a group, null for none. */
export function issue(appID: string, group: string) {
  return queryOptions({
    queryKey: ['trackers', appID, 'issue', group],
    queryFn: async ({ signal }) => (await read('/o/trackers/issue', Linked, { app_id: appID, group }, signal)).issue,
  });
}

const Proposal = v.object({ title: v.text, text: v.text });
export type Proposal = v.Of<typeof Proposal>;

/** What an issue of a group would say. */
export function draft(appID: string, group: string) {
  return queryOptions({
    queryKey: ['trackers', appID, 'draft', group],
    queryFn: ({ signal }) => read('/o/trackers/draft', Proposal, { app_id: appID, group, address: serverAddress() }, signal),
    staleTime: 0,
    gcTime: 0,
  });
}

/** What is done about the issue of a group. */
export type Deed =
  | { do: 'create'; title: string; text: string }
  | { do: 'link'; issue: string }
  | { do: 'unlink' }
  | { do: 'sync' }
  | { do: 'state'; state: 'open' | 'done' };

/** Does something about the issue of a group. What is shown of the group follows. */
export function useDo(appID: string, group: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ do: what, ...rest }: Deed) => write(`/i/trackers/${what}`, { app_id: appID, group, ...rest }),
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['trackers', appID, 'issue', group] }),
        queries.invalidateQueries({ queryKey: ['crashes', appID] }),
      ]),
  });
}

/** Sets the tracker of an app. */
export function useSave(appID: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (d: Draft) => writeFor('/i/trackers/settings', Settings, { app_id: appID, args: sent(d) }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['trackers', appID] }),
  });
}

/** Removes the tracker of an app, whose id it takes. */
export function useRemove(appID: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => write('/i/trackers/remove', { app_id: id }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['trackers', appID] }),
  });
}

/** Asks the tracker for the project of the app. */
export function useCheck(appID: string) {
  return useMutation({ mutationFn: () => write('/i/trackers/check', { app_id: appID }) });
}

/** The standing of the server with Jira. Times are in seconds. */
export const Jira = v.object({ address: v.text, consumer_key: v.text, callback: v.text, public_key: v.text, logged_in: v.boolean(), since: v.number() });
export type Jira = v.Of<typeof Jira>;

/** The standing of the server with Jira. */
export const jira = queryOptions({ queryKey: ['trackers', 'jira'], queryFn: ({ signal }) => read('/o/trackers/jira', Jira, {}, signal) });

/** Sets the Jira of the server. */
export function useSaveJira() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (d: { address: string; consumer_key: string }) => writeFor('/i/trackers/jira', Jira, { ...d, callback: serverAddress() }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['trackers'] }),
  });
}

/** Begins the login at Jira, and goes there. */
export function useLogIn() {
  return useMutation({
    mutationFn: async () => (await writeFor('/i/trackers/jira/login', v.object({ url: v.string() }))).url,
    onSuccess: (url) => window.location.assign(url),
  });
}

/** Ends the login at Jira. */
export function useLogOut() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => write('/i/trackers/jira/logout'),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['trackers'] }),
  });
}
