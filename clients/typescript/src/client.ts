// What the operations of api.ts share: credentials, parameters, faults and streams.

/** Anything that JSON can hold. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- its form depends on the request
export type Json = any;

/** A file that is uploaded. */
export interface Upload {
  name: string;
  content: Blob;
}

/** Where a parameter stands. */
export type Places = Record<string, 'query' | 'body' | 'path' | 'header'>;

/** A fault that the server answered with: decide by its code. */
export class QuipuError extends Error {
  constructor(
    /** Status of HTTP. */
    readonly status: number,
    /** What is wrong, as docs/reference/errors.md lists it; '' when the answer is none of the API. */
    readonly code: string,
    detail: string,
    /** What is wrong with single parameters. */
    readonly fields: Record<string, string> = {},
    /** How many seconds to wait before the request is sent again; undefined = the server does not say. */
    readonly retryAfter?: number,
    /** Numbers that the text names, such as the line and the character of a statement; {} for most faults. */
    readonly params: Record<string, number> = {},
    /** Number of an unexpected fault in the log of the server. */
    readonly incident?: string,
  ) {
    super(code === '' ? `${status}: ${detail}` : `${code}: ${detail}`);
    this.name = 'QuipuError';
  }

  /** Whether the same request may succeed later. */
  get temporary(): boolean {
    return this.status === 429 || this.status >= 500;
  }
}

/** A read that goes on as a task, which getTasksTask reads. */
export class PendingError extends Error {
  constructor(readonly taskId: string) {
    super(`the read goes on as task ${taskId}`);
    this.name = 'PendingError';
  }
}

/** An event of a stream. */
export interface StreamEvent {
  kind: string;
  id: string;
  data: Json;
}

export interface Options {
  /** Address of the server, such as https://quipu.example. */
  server: string;
  /** API key of a member, or a token; nothing for what needs none. */
  key?: string;
  /** Refuse parameters that make no sense, such as the period "last week"; without it the server answers as if they had not been sent. */
  strict?: boolean;
  /** In place of the global fetch. */
  fetch?: typeof fetch;
}

export class Base {
  readonly #server: string;
  readonly #key: string;
  readonly #strict: boolean;
  readonly #fetch: typeof fetch;

  constructor(options: Options) {
    const url = new URL(options.server);
    if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new TypeError(`${options.server} is no http(s) address`);
    this.#server = options.server.replace(/\/+$/, '');
    this.#key = options.key ?? '';
    this.#strict = options.strict ?? false;
    this.#fetch = options.fetch ?? ((input, init) => fetch(input, init));
  }

  /** Calls any path and reads the JSON of its answer. */
  do(verb: string, path: string, params: Record<string, Json> = {}, signal?: AbortSignal): Promise<Json> {
    const place = verb === 'GET' ? 'query' : 'body';
    return this.call(verb, path, params, Object.fromEntries(Object.keys(params).map((name) => [name, place])), signal);
  }

  /** Reads a stream, such as /o/live/feed, until the server ends it or the signal aborts. */
  async *stream(path: string, params: Record<string, Json>, signal?: AbortSignal): AsyncGenerator<StreamEvent> {
    const places: Places = Object.fromEntries(Object.keys(params).map((name) => [name, 'query']));
    const answer = await this.send('GET', path, params, places, 'text/event-stream, application/problem+json', signal);
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        text += value;
        for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
          const event = { kind: '', id: '', data: '' };
          for (const line of text.slice(0, end).split('\n')) {
            const at = line.indexOf(':');
            const field = line.slice(0, at);
            const rest = line.slice(at + 1).replace(/^ /, '');
            if (field === 'event') event.kind = rest;
            if (field === 'id') event.id = rest;
            if (field === 'data') event.data += rest;
          }
          text = text.slice(end + 2);
          if (event.data !== '') yield { ...event, data: JSON.parse(event.data) };
        }
      }
    } finally {
      await reader.cancel().catch(() => undefined);
    }
  }

  protected async call(verb: string, path: string, params: object = {}, places: Places = {}, signal?: AbortSignal): Promise<Json> {
    const answer = await this.send(verb, path, params, places, 'application/json;escape=none, application/problem+json, */*', signal);
    const value: Json = await answer.json();
    if (value !== null && typeof value === 'object' && typeof value.task_id === 'string' && Object.keys(value).length === 1) {
      throw new PendingError(value.task_id);
    }
    return value;
  }

  protected async raw(verb: string, path: string, params: object = {}, places: Places = {}): Promise<Blob> {
    return (await this.send(verb, path, params, places, '*/*')).blob();
  }

  private async send(verb: string, path: string, params: object, places: Places, accept: string, signal?: AbortSignal): Promise<Response> {
    const query = new URLSearchParams();
    const body = new URLSearchParams();
    const files: Array<[string, Upload]> = [];
    const headers: Record<string, string> = { Accept: accept };
    if (this.#strict) headers['Prefer'] = 'handling=strict';
    if (this.#key !== '') headers['Authorization'] = `Bearer ${this.#key}`;
    for (const [name, value] of Object.entries(params) as Array<[string, Json]>) {
      if (value === undefined) continue;
      if (value !== null && typeof value === 'object' && value.content instanceof Blob) {
        files.push([name, value]);
        continue;
      }
      const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
      if (places[name] === 'path') path = path.replace(`{${name}}`, () => encodeURIComponent(text));
      else if (places[name] === 'header') headers[name] = text;
      else if (places[name] === 'body' && verb !== 'GET') body.set(name, text);
      else query.set(name, text);
    }
    let payload: URLSearchParams | FormData | undefined = verb === 'GET' ? undefined : body;
    if (files.length > 0) {
      payload = new FormData();
      for (const [name, text] of body) payload.set(name, text);
      for (const [name, file] of files) payload.set(name, file.content, file.name);
    }
    const search = query.toString();
    const answer = await this.#fetch(this.#server + path + (search === '' ? '' : `?${search}`), {
      method: verb,
      headers,
      redirect: 'manual', // credentials never follow to another address
      ...(payload === undefined ? {} : { body: payload }),
      ...(signal === undefined ? {} : { signal }),
    });
    if (answer.ok) return answer;
    const problem: Json = await answer.json().catch(() => ({}));
    const detail = problem.detail ?? (typeof problem.result === 'string' ? problem.result : answer.statusText);
    const after = Number(answer.headers.get('Retry-After'));
    throw new QuipuError(answer.status, answer.headers.get('Quipu-Error') ?? '', detail, problem.fields ?? {}, after > 0 ? after : undefined, problem.params ?? {}, problem.incident);
  }
}
