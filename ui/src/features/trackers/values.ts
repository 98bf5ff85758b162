import type { Settings } from './api';

/** The trackers, by what the API calls them. */
export const kinds = ['github', 'gitlab', 'jira'] as const;
export type Kind = (typeof kinds)[number];

/** How a server logs in to Jira. */
export const logins = ['basic', 'token', 'oauth'] as const;
export type Login = (typeof logins)[number];

/** The directions in which states go. */
export const directions = ['resolve_groups', 'reopen_groups', 'close_issues', 'reopen_issues'] as const;

/** The form of an app's tracker. */
export interface Draft extends Record<(typeof directions)[number], boolean> {
  tracker: Kind;
  address: string;
  project: string;
  auth: Login;
  user: string;
  token: string;
  type: string;
  labels: string;
  todo: string;
  doing: string;
  done: string;
}

const sites: Readonly<Record<Kind, string>> = { github: 'https://github.com', gitlab: 'https://gitlab.com', jira: '' };

const kindOf = (text: string): Kind => kinds.find((k) => k === text) ?? 'github';
const loginOf = (text: string): Login => logins.find((l) => l === text) ?? 'token';

/** The form as it stands when it is opened. */
export function draftOf(s: Settings): Draft {
  const tracker = kindOf(s.tracker);
  return {
    tracker,
    address: s.address === '' ? sites[tracker] : s.address,
    project: s.project,
    auth: loginOf(s.auth),
    user: s.user,
    token: '',
    type: s.type === '' ? 'Bug' : s.type,
    labels: s.labels.join(', '),
    todo: s.todo.join(', '),
    doing: s.doing.join(', '),
    done: s.done.join(', '),
    resolve_groups: s.resolve_groups,
    reopen_groups: s.reopen_groups,
    close_issues: s.close_issues,
    reopen_issues: s.reopen_issues,
  };
}

/** The form after another tracker was chosen. */
export function withTracker(d: Draft, tracker: Kind): Draft {
  return { ...d, tracker, address: sites[tracker], auth: tracker === 'jira' ? 'basic' : 'token', project: '', token: '' };
}

/** Whether the token that is kept goes on: it is for its tracker, address and account alone. */
export function keeps(d: Draft, s: Settings): boolean {
  const address = d.address.trim().replace(/\/+$/, '');
  return s.has_token && d.tracker === s.tracker && address === s.address && d.auth === s.auth && (d.auth !== 'basic' || d.user.trim() === s.user);
}

/** Whether the form can be sent. */
export function complete(d: Draft, s: Settings): boolean {
  if (d.project.trim() === '') return false;
  if (d.tracker === 'jira' && d.type.trim() === '') return false;
  if (d.auth === 'oauth') return s.jira_address !== '';
  if (d.address.trim() === '' || (d.auth === 'basic' && d.user.trim() === '')) return false;
  return d.token.trim() !== '' || keeps(d, s);
}

/** The texts of a field that has several, with commas between. */
export function listOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** What is sent of the form. */
export function sent(d: Draft) {
  const jira = d.tracker === 'jira';
  return {
    ...d,
    address: d.address.trim(),
    project: d.project.trim(),
    user: d.auth === 'basic' ? d.user.trim() : '',
    token: d.auth === 'oauth' ? '' : d.token.trim(),
    type: jira ? d.type.trim() : '',
    labels: listOf(d.labels),
    todo: jira ? listOf(d.todo) : [],
    doing: jira ? listOf(d.doing) : [],
    done: jira ? listOf(d.done) : [],
  };
}
