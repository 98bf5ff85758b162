import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { pauseBefore, ServerWatch } from './reach';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function watch(answers: boolean[]) {
  const changes: boolean[] = [];
  const one = new ServerWatch({ ping: () => Promise.resolve(answers.shift() ?? true), onChange: (there) => changes.push(there), now: () => 1000 });
  return { one, changes };
}

it('asks again, longer and longer apart, until the server is back', async () => {
  const { one, changes } = watch([false, false, true]);
  one.lost();
  one.lost(); // more requests fail at the same time
  expect(one.state().next).toBe(1000 + 2000);
  await vi.advanceTimersByTimeAsync(2000);
  expect(one.state().next).toBe(1000 + 4000);
  await vi.advanceTimersByTimeAsync(4000 + 8000);
  expect(one.state().next).toBeUndefined();
  expect(changes).toEqual([false, true]);
});

it('takes any answer for a sign of life', () => {
  const { one, changes } = watch([]);
  one.lost();
  one.answered();
  expect(one.state().next).toBeUndefined();
  expect(changes).toEqual([false, true]);
});

it('asks at once when a person wants it', async () => {
  const { one } = watch([true]);
  one.lost();
  await one.retry();
  expect(one.state().next).toBeUndefined();
});

it('never waits longer than half a minute', () => {
  expect([0, 1, 4, 100].map(pauseBefore)).toEqual([2000, 4000, 30_000, 30_000]);
});

it('tells of another dashboard, and of none that it does not know', () => {
  const { one } = watch([]);
  for (const [theirs, ours, newer] of [['b', 'a', true], ['a', 'a', false], [null, 'a', false], ['b', '', false]] as const) {
    one.built(theirs, ours);
    expect(one.state().newer).toBe(newer);
  }
});
