import { expect, it } from 'vitest';
import { secondsOf } from './words';

it.each([
  ['1h0m0s', 3600],
  ['24h0m0s', 86_400],
  ['1m30s', 90],
  ['500ms', 0.5],
  ['daily', undefined],
])('%s is %s seconds', (text, want) => expect(secondsOf(text)).toBe(want));
