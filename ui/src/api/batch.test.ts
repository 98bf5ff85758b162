import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { batches, type Part } from './batch';

type Send = Parameters<typeof batches>[0];

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '');
const parts = (addresses: string[]): Promise<Part[]> => Promise.resolve(addresses.map((body) => ({ status: 200, body })));

it('makes reads of one moment in one request, each with its answer', async () => {
  const send = vi.fn<Send>(parts);
  const read = batches(send);
  const got = Promise.all(['/o/a', '/o/b'].map((address) => read(address)));
  await vi.runAllTimersAsync();
  expect(await got).toEqual([{ status: 200, body: '/o/a' }, { status: 200, body: '/o/b' }]);
  expect(send.mock.calls.map(([list]) => list)).toEqual([['/o/a', '/o/b']]);
});

it.each([
  ['alone', ['/o/a'], []],
  ['seventeen', Array.from({ length: 17 }, (_, i) => `/o/${i}`), [16]],
  ['thirty-two', Array.from({ length: 32 }, (_, i) => `/o/${i}`), [16, 16]],
  ['long', [`/o/${'x'.repeat(2500)}`, `/o/${'y'.repeat(2500)}`], []],
])('keeps to the bounds of a batch: %s', async (_, addresses, want) => {
  const send = vi.fn<Send>(parts);
  const read = batches(send);
  const got = Promise.all(addresses.map((address) => read(address)));
  await vi.runAllTimersAsync();
  expect(await got).toHaveLength(addresses.length);
  expect(send.mock.calls.map(([list]) => list.length)).toEqual(want);
});

it('leaves a read by itself whose answer is too large', async () => {
  const send = (): Promise<Part[]> => Promise.resolve([{ status: 413, error: 'request.answer_too_large', body: {} }, { status: 404, error: 'x.gone', body: {} }]);
  const read = batches(send);
  const got = Promise.all(['/o/a', '/o/b'].map((address) => read(address)));
  await vi.runAllTimersAsync();
  expect(await got).toEqual([undefined, { status: 404, error: 'x.gone', body: {} }]);
});

it('fails every read when the batch fails', async () => {
  const read = batches(() => Promise.reject(new Error('away')));
  const got = Promise.allSettled(['/o/a', '/o/b'].map((address) => read(address)));
  await vi.runAllTimersAsync();
  expect((await got).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

it('aborts the request with the last of its reads, not before', async () => {
  const seen: AbortSignal[] = [];
  const read = batches((_, signal) => {
    seen.push(signal);
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError'))));
  });
  const [one, two] = [new AbortController(), new AbortController()];
  const ended: string[] = [];
  const first = read('/o/a', one.signal).catch((error: unknown) => ended.push(`a ${nameOf(error)}`));
  const second = read('/o/b', two.signal).catch((error: unknown) => ended.push(`b ${nameOf(error)}`));
  await vi.runAllTimersAsync();
  one.abort();
  await first;
  expect([ended, seen.map(({ aborted }) => aborted)]).toEqual([['a AbortError'], [false]]);
  two.abort();
  await second;
  expect([ended, seen.map(({ aborted }) => aborted)]).toEqual([['a AbortError', 'b AbortError'], [true]]);
});

it('leaves out reads that were aborted before the request', async () => {
  const send = vi.fn<Send>(parts);
  const read = batches(send);
  const gone = new AbortController();
  const got = Promise.allSettled([read('/o/a'), read('/o/b', gone.signal), read('/o/c'), read('/o/d', AbortSignal.abort())]);
  gone.abort();
  await vi.runAllTimersAsync();
  expect((await got).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
  expect(send.mock.calls.map(([list]) => list)).toEqual([['/o/a', '/o/c']]);
});
