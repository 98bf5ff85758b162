import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { batches, type Part } from './batch';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const parts = (addresses: string[]): Promise<Part[]> => Promise.resolve(addresses.map((body) => ({ status: 200, body })));

it('makes reads of one moment in one request, each with its answer', async () => {
  const send = vi.fn(parts);
  const read = batches(send);
  const got = Promise.all(['/o/a', '/o/b'].map(read));
  await vi.runAllTimersAsync();
  expect(await got).toEqual([{ status: 200, body: '/o/a' }, { status: 200, body: '/o/b' }]);
  expect(send.mock.calls).toEqual([[['/o/a', '/o/b']]]);
});

it.each([
  ['alone', ['/o/a'], []],
  ['seventeen', Array.from({ length: 17 }, (_, i) => `/o/${i}`), [16]],
  ['thirty-two', Array.from({ length: 32 }, (_, i) => `/o/${i}`), [16, 16]],
  ['long', [`/o/${'x'.repeat(2500)}`, `/o/${'y'.repeat(2500)}`], []],
])('keeps to the bounds of a batch: %s', async (_, addresses, want) => {
  const send = vi.fn(parts);
  const got = Promise.all(addresses.map(batches(send)));
  await vi.runAllTimersAsync();
  expect(await got).toHaveLength(addresses.length);
  expect(send.mock.calls.map(([list]) => list.length)).toEqual(want);
});

it('leaves a read by itself whose answer is too large', async () => {
  const send = (): Promise<Part[]> => Promise.resolve([{ status: 413, error: 'request.answer_too_large', body: {} }, { status: 404, error: 'x.gone', body: {} }]);
  const got = Promise.all(['/o/a', '/o/b'].map(batches(send)));
  await vi.runAllTimersAsync();
  expect(await got).toEqual([undefined, { status: 404, error: 'x.gone', body: {} }]);
});

it('fails every read when the batch fails', async () => {
  const got = Promise.allSettled(['/o/a', '/o/b'].map(batches(() => Promise.reject(new Error('away')))));
  await vi.runAllTimersAsync();
  expect((await got).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
