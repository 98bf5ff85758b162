import i18next from 'i18next';
import { serverWatch } from '../lib/reach';
import { batches, type Part } from './batch';
import { batchAddress, firstReads } from './first';

/** What went wrong with a call, with the server's own words when it had any. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** The code of the fault, by which to decide; the message is for people. */
    readonly code?: string,
  ) {
    super(message);
    this.name = 'ApiError';
  }

  /** True when the browser's session is over, as opposed to a right that is missing. */
  get signedOut(): boolean {
    return this.code === 'auth.credentials_missing';
  }
}

export type Params = Record<string, string | number | boolean | object | undefined>;

/** Writes parameters as the server reads them: objects and arrays are JSON text. */
export function encode(params: Params): URLSearchParams {
  const out = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined) continue;
    out.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  return out;
}

/**
 * Reads from the server with the session cookie. What takes the server too long goes on as a task, which is waited for;
 * onTask is told its id, and undefined when the read begins.
 */
export async function read<T>(path: string, params: Params = {}, signal?: AbortSignal, onTask?: (id: string | undefined) => void): Promise<T> {
  onTask?.(undefined);
  const answer = await readOnce<T>(path, params, signal);
  const id = taskOf(answer);
  if (id === undefined) return answer;
  onTask?.(id);
  return resultOfTask<T>(id, params.app_id, signal);
}

async function readOnce<T>(path: string, params: Params, signal?: AbortSignal): Promise<T> {
  const query = encode(params).toString();
  const address = query === '' ? path : `${path}?${query}`;
  const part = isQuick(path, params) ? await together?.(address, signal) : undefined;
  signal?.throwIfAborted();
  if (part === undefined) return call<T>(address, signal === undefined ? {} : { signal });
  if (part.status >= 400) throw faultOf(part.status, part.body, part.error ?? null);
  return part.body as T;
}

let together: ReturnType<typeof batches> | undefined;

/** Makes quick reads that are wanted at about the same time in one request, from now on. */
export function readTogether(): void {
  together ??= batches((requests, signal) => call<Part[]>(batchAddress(requests), { signal }));
}

const quickPaths = new Set<string>([...Object.values(firstReads), '/o/analytics/compare', '/o/analytics/sessions', '/o/analytics/metric', '/o/notes']);

/** Whether a read is one that others can wait for: those of the first page and of what surrounds every page. */
function isQuick(path: string, { method, action }: Params): boolean {
  return quickPaths.has(path) || (path === '/o' && (method === 'get_events' || (method === 'views' && (action === 'getTotals' || action === 'getTable'))));
}

/** The task that an answer names instead of what was asked for: {task_id}, or {result: {task_id}}, and nothing else. */
export function taskOf(answer: unknown): string | undefined {
  if (typeof answer !== 'object' || answer === null || Object.keys(answer).length !== 1) return undefined;
  if ('result' in answer) return taskOf(answer.result);
  return 'task_id' in answer && typeof answer.task_id === 'string' ? answer.task_id : undefined;
}

/** How long to wait between two looks at a task, ms. */
const pause = 1000;

async function resultOfTask<T>(id: string, app: Params[string], signal?: AbortSignal): Promise<T> {
  for (;;) {
    const task = await readOnce<{ status: string; errormsg?: string; data?: T }>('/o/tasks/task', { app_id: app, task_id: id }, signal);
    if (task.status === 'completed' && task.data !== undefined) return task.data;
    if (task.status !== 'running' && task.status !== 'rerunning') throw new ApiError(200, task.errormsg ?? task.status);
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, pause);
      signal?.addEventListener('abort', () => {
        clearTimeout(timer);
        reject(new DOMException('aborted', 'AbortError'));
      }, { once: true });
    });
  }
}

/** Changes something on the server; the token proves that our own page asks. */
export async function write<T>(path: string, params: Params = {}): Promise<T> {
  return call<T>(path, {
    method: 'POST',
    headers: { 'X-CSRF-Token': csrfToken() },
    body: encode(params),
  });
}

/** Changes something on the server, with files. */
export async function upload<T>(path: string, form: FormData): Promise<T> {
  return call<T>(path, { method: 'POST', headers: { 'X-CSRF-Token': csrfToken() }, body: form });
}

async function call<T>(url: string, init: RequestInit): Promise<T> {
  const { response, text } = await answerOf(url, init);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    if (response.status >= 502 && response.status <= 504) throw away(); // a proxy speaks for a server that does not
    throw new ApiError(response.status, `unreadable answer (${response.status})`);
  }
  if (!response.ok) throw faultOf(response.status, body, response.headers.get(faultHeader));
  return body as T;
}

/** The header of refusals that holds the code of the fault. */
export const faultHeader = 'Quipu-Error';

function faultOf(status: number, body: unknown, code: string | null): ApiError {
  return new ApiError(status, wordsFor(code) ?? resultOf(body) ?? `status ${status}`, code ?? undefined);
}

/** Our own words for a fault, where there are any: those that people meet while they fill something in. */
function wordsFor(code: string | null): string | undefined {
  if (code === null) return undefined;
  const words: string = i18next.t(`faults.${code}`, { defaultValue: '' });
  return words === '' ? undefined : words;
}

/** The status of errors of requests that nobody answered. */
export const unanswered = 0;

function away(): ApiError {
  serverWatch.lost();
  return new ApiError(unanswered, i18next.t('reach.unanswered'));
}

async function answerOf(url: string, init: RequestInit): Promise<{ response: Response; text: string }> {
  try {
    const response = await fetch(url, { credentials: 'same-origin', ...init });
    const text = await response.text();
    if (response.status < 502 || response.status > 504) serverWatch.answered();
    serverWatch.built(response.headers.get('X-Quipu-Dashboard'), buildOf(document));
    return { response, text };
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw away();
  }
}

/** The name of the dashboard that runs here. */
function buildOf(page: Document): string {
  return page.querySelector<HTMLMetaElement>('meta[name="quipu-build"]')?.content ?? '';
}

function resultOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('result' in body)) return undefined;
  const { result } = body;
  if (Array.isArray(result)) return result.join(', ');
  return typeof result === 'string' ? result : undefined;
}

declare global {
  interface Window {
    countlyGlobal?: { csrf_token?: string };
  }
}

/** The token that the server wrote into the page. */
export function csrfToken(): string {
  return window.countlyGlobal?.csrf_token ?? '';
}
