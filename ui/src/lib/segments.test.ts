import { expect, it } from 'vitest';
import { isTelling } from './segments';

it.each([
  ['[CLY]_view', 'name', false],
  ['[CLY]_view', 'visit', false],
  ['[CLY]_view', 'plan', true],
  ['[CLY]_consent', '_type', false],
  ['[CLY]_consent', 'events', true],
  ['Purchase', 'name', true],
  ['Purchase', '_type', true],
])('of %s shows %s: %s', (key, segment, want) => expect(isTelling(key, segment)).toBe(want));
