import { expect, it } from 'vitest';
import { isTelling } from './segments';

it.each([
  ['[CLY]_view', 'name', false],
  ['[CLY]_view', 'visit', false],
  ['[CLY]_view', 'plan', true],
  ['Purchase', 'name', true],
])('of %s shows %s: %s', (key, segment, want) => expect(isTelling(key, segment)).toBe(want));
