import { expect, it } from 'vitest';
import { levelOf, linesOf } from './lines';

const log = 'time=1 level=WARN msg=slow\ntime=2 level=ERROR msg="Disk full"\n{"time":3,"level":"ERROR","msg":"x"}\n\n';

it.each([
  ['time=1 level=WARN msg=slow', 'warn'],
  ['{"level":"ERROR"}', 'error'],
  ['time=1 level=INFO', undefined],
  ['plain', undefined],
])('level of %s', (line, want) => expect(levelOf(line)).toBe(want));

it.each([
  ['', undefined, 3],
  ['disk', undefined, 1],
  ['', 'error', 2],
  ['slow', 'error', 0],
] as const)('lines with %j, %s', (q, level, want) => expect(linesOf(log, q, level)).toHaveLength(want));

it('has the newest line first', () => expect(linesOf(log, 'level=', undefined)[0]).toContain('Disk full'));
