import { expect, it } from 'vitest';
import { demoRequests } from './generate';

const options = { now: Date.UTC(2031, 4, 14), days: 30, people: 40, seed: 3 };

it('is the same for the same seed', () => {
  expect(demoRequests(options)).toEqual(demoRequests(options));
  expect(demoRequests({ ...options, seed: 4 })).not.toEqual(demoRequests(options));
});

it('lies in the days asked for, in order, each session closed by its user', () => {
  const list = demoRequests(options);
  expect(list.length).toBeGreaterThan(60);
  expect(new Set(list.map((r) => r.device_id)).size).toBeGreaterThan(30);
  const times = list.map((r) => r.timestamp);
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(Math.min(...times)).toBeGreaterThanOrEqual(options.now - 30 * 86_400_000);
  expect(Math.max(...times)).toBeLessThanOrEqual(options.now);
});
