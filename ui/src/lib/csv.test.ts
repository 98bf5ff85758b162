import { expect, it } from 'vitest';
import { csv } from './csv';

it('quotes what needs it and defuses formulas', () => {
  const got = csv([
    ['day', 'a "b", c'],
    ['=1+1', -5],
    ['line\nbreak', 0.5],
  ]);
  expect(got).toBe('day,"a ""b"", c"\r\n\'=1+1,-5\r\n"line\nbreak",0.5\r\n');
});
