// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from 'vitest';
import { laterTexts } from '../features';
import { laterTexts as addLaterTexts, start } from '../i18n';
import { serverWatch } from '../lib/reach';
import * as v from './schema';
import { AnswerError, ApiError, encode, read, unanswered, write, writeFor } from './client';

function answer(status: number, body: string) {
  const fetched = vi.fn<typeof fetch>(() => Promise.resolve(new Response(body, { status })));
  vi.stubGlobal('fetch', fetched);
  return fetched;
}

afterEach(() => vi.unstubAllGlobals());

describe('encode', () => {
  it('writes structures as JSON and leaves out what is undefined', () => {
    const got = encode({ a: 1, b: [1, 2], c: { d: 'e' }, f: undefined, g: false }).toString();
    expect(got).toBe('a=1&b=%5B1%2C2%5D&c=%7B%22d%22%3A%22e%22%7D&g=false');
  });
});

describe('read', () => {
  it('puts parameters into the query', async () => {
    const fetched = answer(200, '{"result":"Success"}');
    await expect(read('/o/ping', v.unknown(), { app_id: 'x y' })).resolves.toEqual({ result: 'Success' });
    expect(fetched.mock.calls[0]?.[0]).toBe('/o/ping?app_id=x+y');
  });

  it.each([
    ['text', 401, '{"result":"User does not have right"}', 'User does not have right'],
    ['list', 400, '{"result":["Missing full_name argument"]}', 'Missing full_name argument'],
    ['other JSON', 500, '[]', 'status 500'],
    ['no JSON', 500, '<html>', 'unreadable answer (500)'],
  ])('reports an error with %s', async (_, status, body, message) => {
    answer(status, body);
    await expect(read('/o', v.unknown())).rejects.toEqual(new ApiError(status, message));
  });

  it.each([
    ['nobody answers', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['a proxy answers for it', () => Promise.resolve(new Response('<html>', { status: 502 }))],
  ])('says that the server is away when %s, and notices when it is back', async (_, fetched: typeof fetch) => {
    vi.useFakeTimers();
    vi.stubGlobal('fetch', fetched);
    const error = await read('/o', v.unknown()).catch((e: unknown) => e);
    expect(error).toMatchObject({ name: 'ApiError', status: unanswered });
    expect(serverWatch.state().next).toBeGreaterThan(Date.now());
    answer(200, '{}');
    await read('/o', v.unknown());
    expect(serverWatch.state().next).toBeUndefined();
    vi.useRealTimers();
  });

  it.each([
    ['our own words for a code that people meet', 'auth.password_leaked', /leaked/],
    ['the words of the server for another', 'access.no_right', /^User does not have right$/],
  ])('shows %s', async (_, code, message) => {
    await start(laterTexts);
    await addLaterTexts();
    vi.stubGlobal('fetch', () => Promise.resolve(new Response('{"result":"User does not have right"}', { status: 401, headers: { 'Quipu-Error': code } })));
    await expect(read('/o', v.unknown())).rejects.toMatchObject({ message: expect.stringMatching(message) as string });
  });

  it('leaves a request alone that was given up', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new DOMException('aborted', 'AbortError')));
    await expect(read('/o', v.unknown())).rejects.toMatchObject({ name: 'AbortError' });
    expect(serverWatch.state().next).toBeUndefined();
  });

  it.each([
    ['a session that is over', 400, 'auth.credentials_missing', 'in words of any language', true],
    ['a right that is missing', 401, 'access.no_right', 'Missing parameter "api_key" or "auth_token"', false],
  ])('knows %s by its code', async (_, status, code, result, signedOut) => {
    vi.stubGlobal('fetch', () => Promise.resolve(new Response(JSON.stringify({ result }), { status, headers: { 'Quipu-Error': code } })));
    await expect(read('/o', v.unknown())).rejects.toMatchObject({ status, code, signedOut });
  });
});

describe('an answer that is not what it should be', () => {
  const Row = v.object({ name: v.string(), parts: v.array(v.object({ size: v.number(), kind: v.optional(v.picklist(['a', 'b'])) })) });

  it.each([
    ['lacks a member', '{"parts":[]}', 'name', 'string', 'undefined'],
    ['lacks a member within', '{"name":"A","parts":[{"size":1},{}]}', 'parts.1.size', 'number', 'undefined'],
    ['has a member of another type', '{"name":5,"parts":[]}', 'name', 'string', '5'],
    ['has null for a member', '{"name":"A","parts":null}', 'parts', 'Array', 'null'],
    ['has a value that is none', '{"name":"A","parts":[{"size":1,"kind":"c"}]}', 'parts.0.kind', '("a" | "b")', '"c"'],
    ['is of another type', '[]', 'name', 'string', 'undefined'],
    ['is null', 'null', 'JSON', 'Object', 'null'],
    ['is long', `{"name":"A","parts":"${'x'.repeat(100)}"}`, 'parts', 'Array', `"${'x'.repeat(39)}…`],
    ['is no JSON', '<html>', 'JSON', 'JSON', '<html>'],
  ])('is one error that is reported when it %s', async (_, body, member, expected, got) => {
    await start(laterTexts, 'en');
    const reported = vi.fn();
    vi.stubGlobal('reportError', reported);
    answer(200, body);
    const error = await read('/o', Row, { app_id: 'secret', method: 'rows' }).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(AnswerError);
    const address = body === '<html>' ? '/o' : '/o?method=rows';
    expect(error).toMatchObject({ address, member, expected, got, signedOut: false, message: `${address} gave an unexpected response. ${member}: expected ${expected}, got ${got}.` });
    expect(reported.mock.calls).toEqual([[error]]);
  });

  it('says so in German', async () => {
    await start(laterTexts, 'de');
    vi.stubGlobal('reportError', vi.fn());
    answer(200, '{}');
    await expect(write('/i').then(() => writeFor('/i', Row))).rejects.toThrow('/i hat unerwartet geantwortet. name: string erwartet, undefined erhalten.');
  });

  it('may have more than is known', async () => {
    answer(200, '{"name":"A","parts":[{"size":1,"new":2}],"new":{}}');
    await expect(read('/o', Row)).resolves.toEqual({ name: 'A', parts: [{ size: 1 }] });
  });

  it('is refused within a batch and as the result of a task, too', async () => {
    vi.stubGlobal('reportError', vi.fn());
    const fetched = answer(200, '');
    for (const body of ['{"task_id":"T"}', '{"status":"completed","data":{"name":1}}']) fetched.mockResolvedValueOnce(new Response(body));
    await expect(read('/o', Row)).rejects.toMatchObject({ address: '/o', member: 'name' });
    for (const body of ['{"task_id":"T"}', '{"state":"completed"}']) fetched.mockResolvedValueOnce(new Response(body));
    await expect(read('/o', Row)).rejects.toMatchObject({ address: '/o/tasks/task', member: 'status' });
  });
});

describe('a read that goes on as a task', () => {
  function answers(...bodies: string[]) {
    const fetched = vi.fn<typeof fetch>(() => Promise.resolve(new Response(bodies.shift() ?? '{}', { status: 200 })));
    vi.stubGlobal('fetch', fetched);
    return fetched;
  }

  it.each([['new', '{"result":{"task_id":"T"}}'], ['one that runs', '{"task_id":"T"}']])('is waited for: %s', async (_, first) => {
    vi.useFakeTimers();
    const fetched = answers(first, '{"status":"running"}', '{"status":"completed","data":{"count":3}}');
    const tasks: (string | undefined)[] = [];
    const got = read('/o/explore/count', v.unknown(), { app_id: 'A', query: {} }, undefined, (id) => tasks.push(id));
    await vi.runAllTimersAsync();
    await expect(got).resolves.toEqual({ count: 3 });
    expect(tasks).toEqual([undefined, 'T']);
    expect(fetched.mock.calls.map(([url]) => url)).toEqual(['/o/explore/count?app_id=A&query=%7B%7D', '/o/tasks/task?app_id=A&task_id=T', '/o/tasks/task?app_id=A&task_id=T']);
    vi.useRealTimers();
  });

  it('fails as the task does', async () => {
    answers('{"task_id":"T"}', '{"status":"errored","errormsg":"Too much","errorcode":"sql.too_large"}');
    await expect(read('/o', v.unknown())).rejects.toMatchObject({ status: 200, message: 'Too much', code: 'sql.too_large' });
    answers('{"task_id":"T"}', '{"status":"errored"}'); // it failed before tasks had codes
    await expect(read('/o', v.unknown())).rejects.toMatchObject({ status: 200, message: 'errored', code: undefined });
  });

  it('ends when nobody wants it any more', async () => {
    answers('{"task_id":"T"}', '{"status":"running"}');
    const wanted = new AbortController();
    const got = read('/o', v.unknown(), {}, wanted.signal, (id) => id !== undefined && setTimeout(() => wanted.abort(), 10));
    await expect(got).rejects.toHaveProperty('name', 'AbortError');
  });

  it.each(['{"task_id":"T","more":1}', '{"result":"T"}', '{"result":{"task_id":5}}', '["task_id"]', '"T"', 'null'])('is not %s', async (body) => {
    answers(body);
    await expect(read('/o', v.unknown())).resolves.toEqual(JSON.parse(body));
  });
});

describe('write', () => {
  it('sends the token of the page', async () => {
    window.countlyGlobal = { csrf_token: 'T' };
    const fetched = answer(200, '{}');
    await write('/i/apps/create', { args: { name: 'A' } });
    const init = fetched.mock.calls[0]?.[1];
    expect(init?.method).toBe('POST');
    expect(new Headers(init?.headers).get('X-CSRF-Token')).toBe('T');
    expect((init?.body as URLSearchParams).get('args')).toBe('{"name":"A"}');
  });
});
