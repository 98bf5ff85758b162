import { expect, it } from 'vitest';
import { formats } from '../../lib/format';
import { changed, formOf, parseMeasure, shareOf, stepId, write } from './figures';

it('names steps as charts do', () => {
  expect(['2031.5.14', '2031.5.14.9', '2031.w20', '2031.5', '2031'].map(stepId)).toEqual(['2031-5-14', '2031-5-14 9:00', '2031-w20', '2031-5', '2031']);
});

it('writes money, counts and shares', () => {
  const en = formats('en');
  expect(write('revenue', 1234.5, en)).toBe('1,234.50');
  expect(write('revenue', -3, en)).toBe('-3');
  expect(write('paying', 1234, en)).toBe('1,234');
  expect(write('paying_percent', 12.5, en)).toBe('12.5%');
  expect(write('transactions_per_payer', 1.5, en)).toBe('1.5');
  expect(write('arpu', null, en)).toBe('–');
  expect([formOf('revenue'), formOf('paying'), formOf('paying_percent')]).toEqual([{ form: 'amount' }, {}, { form: 'percent' }]);
});

it('takes what is unknown for revenue', () => {
  expect([parseMeasure('arppu'), parseMeasure('x'), parseMeasure('refunds')]).toEqual(['arppu', 'revenue', 'revenue']);
});

it('tells shares only where refunds leave them a meaning', () => {
  expect([shareOf({ revenue: 5 }, { revenue: 20 }), shareOf({ revenue: -5 }, { revenue: 20 }), shareOf({ revenue: 25 }, { revenue: 20 }), shareOf({ revenue: 0 }, { revenue: 0 })]).toEqual([0.25, undefined, undefined, undefined]);
});

it('tells no change from what was below zero or is not known', () => {
  const en = formats('en');
  expect([changed(8, -4, en), changed(null, 4, en), changed(4, null, en)]).toEqual([undefined, undefined, undefined]);
  expect(changed(6, 4, en)?.text).toBe('+50%');
  expect(changed(-2, 4, en)?.trend).toBe('down');
});
