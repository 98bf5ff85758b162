import { parse } from '../api/answer';
import { AnswerError, ApiError, encode, faultHeader, type Params } from '../api/client';
import * as v from '../api/schema';
import { base } from './base';

/** One event of a stream. */
export interface StreamEvent {
  kind: string;
  id: string;
  data: string;
}

/** Takes server-sent events out of text that comes in pieces. */
export class EventParser {
  #rest = '';
  #kind = '';
  #id = '';
  #data: string[] = [];

  /** Returns the events that are complete with this piece. */
  push(text: string): StreamEvent[] {
    const out: StreamEvent[] = [];
    const lines = (this.#rest + text).split(/\r\n|\r(?!$)|\n/);
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line === '') {
        if (this.#data.length > 0) out.push({ kind: this.#kind === '' ? 'message' : this.#kind, id: this.#id, data: this.#data.join('\n') });
        this.#kind = '';
        this.#data = [];
        continue;
      }
      const colon = line.indexOf(':');
      if (colon === 0) continue; // a sign of life
      const name = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
      if (name === 'event') this.#kind = value;
      else if (name === 'id') this.#id = value;
      else if (name === 'data') this.#data.push(value);
    }
    return out;
  }
}

/** How it stands with a stream: it is being opened, it is open, it broke off and will be opened again, or it is over. */
export type StreamState = { is: 'connecting' } | { is: 'open' } | { is: 'waiting' } | { is: 'over'; error: ApiError };

interface Handlers {
  onState: (state: StreamState) => void;
  /** Takes the data of the events of a kind, as `heard` makes it; other kinds are left out. */
  on: Readonly<Record<string, Hear>>;
}

type Hear = (data: unknown, path: string) => void;

/** Checks the data of events before they are taken. */
export function heard<S extends v.Schema>(schema: S, take: (data: v.Of<S>) => void): Hear {
  return (data, path) => take(parse(path, schema, data));
}

/** Why the server ends a stream. */
const End = v.object({ code: v.string(), text: v.string() });

/** A refusal. */
const Refusal = v.object({ result: v.string() });

/** What the server says when it ends a stream that may be opened again at once. */
const restarting = 'live.stopping';

/** How long to wait before the n-th attempt in a row, in ms: longer and longer, and not all windows at once. */
export function pause(attempt: number, random: number): number {
  return Math.min(30_000, 1000 * 2 ** Math.min(attempt, 5)) * (0.5 + random / 2);
}

/** After how long without a sign of life a connection counts as lost, in ms; the server gives one every 15 s. */
const silence = 40_000;

/**
 * Keeps a stream of the server open: as an EventSource does, but it can tell a refusal from a lost connection. It
 * rests while nobody sees the window, since a browser opens few connections to one server. Returns how to close it.
 */
export function keepStream(path: string, params: Params, { onState, on }: Handlers): () => void {
  const url = `${path}?${encode(params).toString()}`;
  let control: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let attempt = 0;
  let last = '';
  let closed = false;

  const stop = () => {
    clearTimeout(timer);
    control?.abort();
    control = undefined;
  };
  const later = () => {
    onState({ is: 'waiting' });
    timer = setTimeout(open, pause(attempt++, Math.random()));
  };
  const over = (error: ApiError) => {
    closed = true;
    stop();
    onState({ is: 'over', error });
  };
  const read = async (mine: AbortController) => {
    const response = await fetch(base + url, {
      credentials: 'same-origin',
      cache: 'no-store',
      headers: { Accept: 'text/event-stream', ...(last === '' ? {} : { 'Last-Event-ID': last }) },
      signal: mine.signal,
    });
    if (!response.ok || response.body === null) {
      const error = new ApiError(response.status, resultOf(await response.text()), response.headers.get(faultHeader) ?? undefined);
      if (response.status === 429 || response.status >= 500) throw error;
      over(error);
      return;
    }
    onState({ is: 'open' });
    const parser = new EventParser();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let dead = setTimeout(() => mine.abort(), silence);
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        clearTimeout(dead);
        dead = setTimeout(() => mine.abort(), silence);
        for (const event of parser.push(value)) {
          attempt = 0;
          if (event.id !== '') last = event.id;
          const data: unknown = JSON.parse(event.data);
          if (event.kind === 'end') {
            const { code, text } = parse(path, End, data);
            if (code !== restarting) over(new ApiError(401, text, code));
            return;
          }
          on[event.kind]?.(data, path);
        }
      }
    } finally {
      clearTimeout(dead);
    }
  };
  function open() {
    stop();
    if (closed || document.hidden) return;
    const mine = new AbortController();
    control = mine;
    void read(mine)
      .catch((error: unknown) => {
        if (error instanceof AnswerError) over(error); // the next one would be no better
      }) // whatever else it was, the connection is lost
      .finally(() => {
        // A newer connection, or nobody who looks, needs no other one.
        if (control === mine && !closed) later();
      });
  }
  const look = () => {
    if (document.hidden) {
      stop();
      return;
    }
    attempt = 0;
    open();
  };

  document.addEventListener('visibilitychange', look);
  window.addEventListener('online', look);
  onState({ is: 'connecting' });
  open();
  return () => {
    closed = true;
    stop();
    document.removeEventListener('visibilitychange', look);
    window.removeEventListener('online', look);
  };
}

function resultOf(text: string): string {
  try {
    const { success, output } = v.safeParse(Refusal, JSON.parse(text));
    return success ? output.result : text;
  } catch {
    return text;
  }
}
