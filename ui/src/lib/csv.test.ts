import { expect, it } from 'vitest';
import { csv, dated, fileNamed } from './csv';

it('quotes what needs it and defuses formulas', () => {
  const got = csv([
    ['day', 'a "b", c'],
    ['=1+1', -5],
    ['line\nbreak', 0.5],
    [' @a', '\uff1d1'],
    [' a', 'b=c'],
  ]);
  expect(got).toBe('day,"a ""b"", c"\r\n\'=1+1,-5\r\n"line\nbreak",0.5\r\n\' @a,\'\uff1d1\r\n a,b=c\r\n');
});

it('names files by their days', () => {
  const month = fileNamed(['Shop', 'Events'], { from: '2031-05-01', to: '2031-05-31' });
  expect(month).toBe('Shop Events 2031-05-01_2031-05-31');
  expect(fileNamed(['x'.repeat(200)], { from: '2031-05-01', to: '2031-05-01' })).toBe(`${'x'.repeat(100)} 2031-05-01`);
  const now = new Date(2031, 4, 9, 23);
  expect([dated(month, now), dated('Members', now)]).toEqual([month, 'Members 2031-05-09']);
});
