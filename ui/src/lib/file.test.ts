import { expect, it } from 'vitest';
import { fileName, taskOf } from './file';

it.each([
  ['attachment; filename=export.csv', 'export.csv'],
  ['attachment; filename="Corner shop.csv"', 'Corner shop.csv'],
  ["attachment; filename*=utf-8''M%C3%BCller%20%26%20Co.xlsx", 'Müller & Co.xlsx'],
  ['inline', undefined],
  [null, undefined],
])('finds the name in %j', (header, want) => expect(fileName(header)).toBe(want));

it.each([
  [{ task_id: 'a1' }, 'a1'],
  [{ result: { task_id: 'b2' } }, 'b2'],
  [{ result: 'Success' }, undefined],
  [{ task_id: 1 }, undefined],
  ['Success', undefined],
  [null, undefined],
])('finds the task in %j', (answer, want) => expect(taskOf(answer)).toBe(want));
