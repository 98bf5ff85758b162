import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import words from './en.json';

it('has words for every kind of task that modules begin', () => {
  const modules = join(import.meta.dirname, '../../../../internal/modules');
  const files = readdirSync(modules, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.go') && !file.endsWith('_test.go'));
  const source = files.map((file) => readFileSync(join(modules, file), 'utf8')).join('');
  const kinds = [...source.matchAll(/(?:Kind: \w+|api\.Long\{)(?:, )?Type: "(\w+)"/g)].map(([, kind = '']) => kind);
  expect(kinds.length).toBeGreaterThan(5);
  expect(kinds.filter((kind) => !(kind in words.tasks.types))).toEqual([]);
});
