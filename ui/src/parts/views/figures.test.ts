import { describe, expect, it } from 'vitest';
import { formats } from '../../lib/format';
import type { ViewFigures } from './api';
import { nameOfView, parseMeasure, pointsOf, stepsOf, writeFigure } from './figures';

const some = (t: number): ViewFigures => ({ t, u: 1, n: 1, s: 0, e: 0, b: 0, d: 0, scr: 0, uvalue: 1, uvc: 0, 'd-calc': 1.5, 'scr-calc': 0, br: 0 });

describe('steps', () => {
  it.each([
    [{ from: '2031-02-27', to: '2031-03-01' }, 'day' as const, ['2031-2-27', '2031-2-28', '2031-3-1']],
    [{ from: '2031-01-01', to: '2031-03-01' }, 'month' as const, ['2031-1', '2031-2', '2031-3']],
    [{ from: '2031-01-01', to: '2031-01-01' }, 'day' as const, ['2031-1-1']],
    [{ from: '2031-05-18', to: '2031-05-19' }, 'week' as const, ['2031-w20', '2031-w21']],
  ])('of %j', (span, step, want) => expect(stepsOf(span, step)).toEqual(want));
});

it('takes the figure of each step, and 0 where there is none', () => {
  const course = { '2031': { '2': { '27': some(3) }, '3': { '1': some(4) } } };
  expect(pointsOf(course, ['2031-2-27', '2031-2-28', '2031-3-1'], 't').map((p) => p.value)).toEqual([3, 0, 4]);
  expect(pointsOf({ '2031': { '2': some(9) } }, ['2031-1', '2031-2'], 'd-calc').map((p) => p.value)).toEqual([0, 1.5]);
  expect(pointsOf({ '2031': { W20: some(6) } }, ['2031-w20'], 't').map((p) => p.value)).toEqual([6]);
  expect(pointsOf(undefined, ['2031-1'], 't')).toEqual([{ _id: '2031-1', value: 0 }]);
});

it('prefers the name that people gave', () => {
  expect([{ view: '/a' }, { view: '/a', display: '' }, { view: '/a', display: 'Start' }].map(nameOfView)).toEqual(['/a', '/a', 'Start']);
});

it('reads the figure from the URL', () => expect(['u', 'd-calc', 'x', ''].map(parseMeasure)).toEqual(['u', 'd-calc', 't', 't']));

it('writes a dash where nothing was measured', () => {
  const format = formats('en');
  const none = some(4);
  const keys = ['t', 's', 'br', 'd-calc', 'scr-calc'] as const;
  expect(keys.map((key) => writeFigure(key, none, format))).toEqual(['4', '0', '–', '–', '–']);
  const all = { ...none, s: 2, d: 8, scr: 50, 'd-calc': 2, 'scr-calc': 12.5 };
  expect(keys.map((key) => writeFigure(key, all, format).replaceAll(/\s/g, ' '))).toEqual(['4', '2', '0.0%', '2 s', '12.5%']);
});
