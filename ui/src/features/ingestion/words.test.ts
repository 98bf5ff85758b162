import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import words from './en.json';

it('has words for every reason and item of the server', () => {
  const source = readFileSync(join(import.meta.dirname, '../../../../internal/ingest/outcome/outcome.go'), 'utf8');
  const list = (name: string) => [...(new RegExp(`var ${name} = \\[...\\]string{([^}]*)}`).exec(source)?.[1] ?? '').matchAll(/"(\w+)"/g)].map(([, word = '']) => word);
  const reasons = list('texts').filter((reason) => reason !== 'accepted');
  expect(reasons.length).toBeGreaterThan(10);
  expect(reasons.filter((reason) => !(reason in words.ingestion.reasons))).toEqual([]);
  expect(list('items').filter((item) => !(item in words.ingestion))).toEqual([]);
});
