import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import words from './en.json';
import { secondsOf } from './words';

it.each([
  ['1h0m0s', 3600],
  ['24h0m0s', 86_400],
  ['1m30s', 90],
  ['500ms', 0.5],
  ['daily', undefined],
])('%s is %s seconds', (text, want) => expect(secondsOf(text)).toBe(want));

it('has words for every job of the server', () => {
  const described = readFileSync(join(import.meta.dirname, '../../../../docs/reference/describe.md'), 'utf8');
  const jobs = [...described.matchAll(/^- (\w+:[\w-]+), every /gm)].map(([, name = '']) => name.replaceAll(/[:-]/g, '_'));
  expect(jobs.length).toBeGreaterThan(10);
  expect(jobs.filter((name) => !(name in words.jobs.names))).toEqual([]);
});
