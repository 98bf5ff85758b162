import i18next from 'i18next';
import { base } from '../lib/base';
import { serverWatch } from '../lib/reach';
import { ApiError, parse, unreadable } from './answer';
import { batches, Part } from './batch';
import { batchAddress, firstReads } from './first';
import * as v from './schema';

export { AnswerError, ApiError, messageOf } from './answer';

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
 * Reads from the server with the session cookie; an answer that is not what the schema says is an AnswerError. What takes the
 * server too long goes on as a task, which is waited for; onTask gets its id, and undefined when the read begins.
 */
export async function read<S extends v.Schema>(
  path: string,
  schema: S,
  params: Params = {},
  signal?: AbortSignal,
  onTask?: (id: string | undefined) => void,
): Promise<v.Of<S>> {
  onTask?.(undefined);
  let answer = await readOnce(path, params, signal);
  const id = taskOf(answer);
  if (id !== undefined) {
    onTask?.(id);
    answer = await resultOfTask(id, params.app_id, signal);
  }
  return parse(nameOf(path, params), schema, answer);
}

/** An address as errors name it: the path, and which of its methods. */
function nameOf(path: string, { method, action }: Params): string {
  const query = encode({ method, action }).toString();
  return query === '' ? path : `${path}?${query}`;
}

async function readOnce(path: string, params: Params, signal?: AbortSignal): Promise<unknown> {
  const query = encode(params).toString();
  const address = query === '' ? path : `${path}?${query}`;
  const part = isQuick(path, params) ? await together?.(address, signal) : undefined;
  signal?.throwIfAborted();
  if (part === undefined) return call(address, signal === undefined ? {} : { signal });
  if (part.status >= 400) throw faultOf(part.status, part.body, part.error ?? null);
  return part.body;
}

const Parts = v.array(Part);
let together: ReturnType<typeof batches> | undefined;

/** Makes quick reads that are wanted at about the same time in one request, from now on. */
export function readTogether(): void {
  together ??= batches(async (requests, signal) => parse('/o/batch', Parts, await call(batchAddress(requests), { signal })));
}

const quickPaths = new Set<string>([...Object.values(firstReads), '/o/analytics/compare', '/o/analytics/sessions', '/o/analytics/metric', '/o/notes']);

/** Whether a read is one that others can wait for: those of the first page and of what surrounds every page. */
function isQuick(path: string, { method, action, filter }: Params): boolean {
  if (filter !== undefined) return false; // rows are counted for it
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

/** A task that stands for an answer, with the answer when it is there. */
const Pending = v.object({ status: v.string(), errormsg: v.optional(v.string()), errorcode: v.optional(v.string()), data: v.optional(v.unknown()) });

async function resultOfTask(id: string, app: Params[string], signal?: AbortSignal): Promise<unknown> {
  const path = '/o/tasks/task';
  for (;;) {
    const task = parse(path, Pending, await readOnce(path, { app_id: app, task_id: id }, signal));
    if (task.status === 'completed' && task.data !== undefined) return task.data;
    if (task.status !== 'running' && task.status !== 'rerunning') throw faultOf(200, { result: task.errormsg ?? task.status }, task.errorcode ?? null);
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
export async function write(path: string, params: Params = {}): Promise<void> {
  await writeFor(path, v.unknown(), params);
}

/** Changes something on the server whose answer matters. */
export async function writeFor<S extends v.Schema>(path: string, schema: S, params: Params = {}): Promise<v.Of<S>> {
  return parse(path, schema, await post(path, encode(params)));
}

/** Changes something on the server, with files. */
export async function upload<S extends v.Schema>(path: string, schema: S, form: FormData): Promise<v.Of<S>> {
  return parse(path, schema, await post(path, form));
}

async function post(path: string, body: URLSearchParams | FormData): Promise<unknown> {
  return call(path, { method: 'POST', headers: { 'X-CSRF-Token': csrfToken() }, body });
}

async function call(url: string, init: RequestInit): Promise<unknown> {
  const { response, text } = await answerOf(url, init);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    if (response.ok) unreadable(url.replace(/\?.*/, ''), 'JSON', 'JSON', text);
    if (response.status >= 502 && response.status <= 504) throw away(); // a proxy speaks for a server that does not
    throw new ApiError(response.status, `unreadable answer (${response.status})`);
  }
  // Some routes of the wire refuse with 200; the header says that they do.
  const code = response.headers.get(faultHeader);
  if (!response.ok || code !== null) throw faultOf(response.status, body, code);
  return body;
}

/** The header of refusals that holds the code of the fault. */
export const faultHeader = 'Quipu-Error';

/** The error that a refusal stands for. */
export function faultOf(status: number, body: unknown, code: string | null): ApiError {
  return new ApiError(status, wordsFor(code) ?? resultOf(body) ?? `status ${status}`, code ?? undefined, paramsOf(body));
}

const WithParams = v.object({ params: v.record(v.number()) });

/** The numbers that a refusal has for programs. */
function paramsOf(body: unknown): Readonly<Record<string, number>> {
  const { success, output } = v.safeParse(WithParams, body);
  return success ? output.params : {};
}

/** Our own words for a fault, where there are any: those that people meet while they fill something in. */
function wordsFor(code: string | null): string | undefined {
  if (code === null) return undefined;
  const words: string = i18next.t(`faults.${code}`, { defaultValue: '' });
  return words === '' ? undefined : words;
}

/** The status of errors of requests that nobody answered. */
export const unanswered = 0;

/** The error of a request that nobody answered. */
export function away(): ApiError {
  serverWatch.lost();
  return new ApiError(unanswered, i18next.t('reach.unanswered'));
}

async function answerOf(url: string, init: RequestInit): Promise<{ response: Response; text: string }> {
  try {
    const response = await fetch(base + url, { credentials: 'same-origin', ...init });
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
