// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as s from '../api/schema';
import { heard, EventParser, keepStream, pause, type StreamState } from './stream';

describe('EventParser', () => {
  const text = ':\n\nretry: 3000\n\nevent: feed\nid: 7\ndata: {"a":\ndata: 1}\n\nevent: tiles\r\ndata: {}\r\n\r\ndata:x\n\nevent: nothing\n\n';
  const want = [
    { kind: 'feed', id: '7', data: '{"a":\n1}' },
    { kind: 'tiles', id: '7', data: '{}' },
    { kind: 'message', id: '7', data: 'x' },
  ];

  it.each([1, 2, 3, 5, 1000])('reads pieces of %i characters', (size) => {
    const parser = new EventParser();
    const got = [];
    for (let at = 0; at < text.length; at += size) got.push(...parser.push(text.slice(at, at + size)));
    expect(got).toEqual(want);
  });
});

it('waits longer and longer, but not for ever', () => {
  expect([0, 1, 2, 3, 4, 5, 50].map((n) => pause(n, 1))).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  expect(pause(3, 0)).toBe(4000);
});

/** A server that answers with what the test hands out, one connection after the other. */
class Server {
  readonly asked: { url: string; last: string | null }[] = [];
  readonly #answers: (() => Response | Promise<Response>)[] = [];
  readonly fetch = vi.fn((url: string, init: RequestInit) => {
    this.asked.push({ url, last: new Headers(init.headers).get('Last-Event-ID') });
    const answer = this.#answers.shift();
    return answer === undefined ? new Promise<Response>(() => undefined) : Promise.resolve(answer());
  });

  streams(text: string) {
    this.#answers.push(() => new Response(text));
  }

  refuses(status: number, result: string, code = '') {
    this.#answers.push(() => new Response(JSON.stringify({ result }), { status, headers: { 'Quipu-Error': code } }));
  }

  breaks() {
    this.#answers.push(() => Promise.reject(new TypeError('lost')));
  }
}

describe('keepStream', () => {
  let server: Server;
  let close: () => void;
  const states: StreamState[] = [];
  const events: unknown[] = [];
  const start = () => {
    close = keepStream('/o/live/feed', { app_id: 'a' }, { onState: (s) => states.push(s), on: { feed: heard(s.object({ n: s.number() }), (data) => events.push(['feed', data])) } });
  };
  const is = () => states.map((s) => (s.is === 'over' ? s.error.message : s.is));

  beforeEach(() => {
    vi.useFakeTimers();
    vi.spyOn(Math, 'random').mockReturnValue(1);
    server = new Server();
    vi.stubGlobal('fetch', server.fetch);
    states.length = 0;
    events.length = 0;
  });
  afterEach(() => {
    close();
    vi.useRealTimers();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  it('opens again where it broke off', async () => {
    server.streams('event: feed\nid: 4\ndata: {"n":1}\n\n');
    server.breaks();
    server.streams('event: feed\ndata: {"n":2}\n\n');
    start();
    await vi.advanceTimersByTimeAsync(0);
    expect(events).toEqual([['feed', { n: 1 }]]);
    await vi.advanceTimersByTimeAsync(999);
    expect(server.asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    await vi.advanceTimersByTimeAsync(2000);
    expect(events).toEqual([['feed', { n: 1 }], ['feed', { n: 2 }]]);
    expect(server.asked.map((a) => a.last)).toEqual([null, '4', '4']);
    expect(server.asked[0]?.url).toBe('/o/live/feed?app_id=a');
    expect(is()).toEqual(['connecting', 'open', 'waiting', 'waiting', 'open', 'waiting']);
  });

  it('is over when an event is not what it should be', async () => {
    const reported = vi.fn();
    vi.stubGlobal('reportError', reported);
    server.streams('event: other\ndata: 1\n\nevent: feed\ndata: {"n":"1"}\n\n');
    start();
    await vi.advanceTimersByTimeAsync(100_000);
    expect(states.at(-1)).toMatchObject({ is: 'over', error: { address: '/o/live/feed', member: 'n', expected: 'number', got: '"1"' } });
    expect(reported).toHaveBeenCalledOnce();
  });

  it('gives up when it is refused, and not when the server is busy', async () => {
    server.refuses(429, 'Too many live views are open');
    server.refuses(503, 'starting');
    server.refuses(401, 'User does not have right', 'access.no_right');
    start();
    await vi.advanceTimersByTimeAsync(100_000);
    expect(server.asked).toHaveLength(3);
    expect(is()).toEqual(['connecting', 'waiting', 'waiting', 'User does not have right']);
    expect(states.at(-1)).toMatchObject({ error: { status: 401, code: 'access.no_right' } });
  });

  it('is over when the server says so, but not when it restarts', async () => {
    server.streams('event: end\ndata: {"code":"live.stopping","text":"x"}\n\n');
    server.streams('event: end\ndata: {"code":"access.no_right","text":"gone"}\n\n');
    start();
    await vi.advanceTimersByTimeAsync(100_000);
    expect(is()).toEqual(['connecting', 'open', 'waiting', 'open', 'gone']);
    expect(states.at(-1)).toMatchObject({ error: { code: 'access.no_right' } });
  });

  it('rests while nobody looks', async () => {
    let hidden = true;
    vi.spyOn(document, 'hidden', 'get').mockImplementation(() => hidden);
    start();
    await vi.advanceTimersByTimeAsync(100_000);
    expect(server.asked).toHaveLength(0);
    hidden = false;
    document.dispatchEvent(new Event('visibilitychange'));
    expect(server.asked).toHaveLength(1);
    hidden = true;
    document.dispatchEvent(new Event('visibilitychange'));
    await vi.advanceTimersByTimeAsync(100_000);
    expect(server.asked).toHaveLength(1);
  });
});
