import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Toasts } from './toasts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('takes messages of success away, keeps failures and at most four', () => {
  const toasts = new Toasts();
  let heard = 0;
  const stop = toasts.subscribe(() => heard++);
  toasts.show('saved');
  toasts.show('broken', 'failed');
  expect(toasts.list().map((t) => t.text)).toEqual(['saved', 'broken']);
  vi.advanceTimersByTime(6000);
  expect(toasts.list().map((t) => t.text)).toEqual(['broken']);
  for (const text of ['a', 'b', 'c', 'd']) toasts.show(text, 'failed');
  expect(toasts.list().map((t) => t.text)).toEqual(['a', 'b', 'c', 'd']);
  toasts.close(toasts.list()[0]?.id ?? 0);
  expect(toasts.list().map((t) => t.text)).toEqual(['b', 'c', 'd']);
  const before = heard;
  stop();
  toasts.show('unheard');
  expect(heard).toBe(before);
});
