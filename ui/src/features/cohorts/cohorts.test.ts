import { expect, it } from 'vitest';
import { historyOf, lastDays } from '../../parts/cohorts/api';
import { conditionsOf, daysOf, fromCohort, isAsking, newDraft, newRule, timesOf, toSent } from './draft';

it('a history is a list of days', () => {
  expect(historyOf({ iTotalRecords: 3, aaData: [], 2031: { 12: { 3: { c: 5, in: 2, out: 1 } }, 5: { 14: { c: 4, in: 4, out: 0 } } } })).toEqual([
    { day: '2031-05-14', size: 4, entered: 4, left: 0 },
    { day: '2031-12-03', size: 5, entered: 2, left: 1 },
  ]);
});

it('days without a calculation have the size of the one before', () => {
  const history = [{ day: '2031-05-13', size: 4, entered: 4, left: 0 }];
  expect(lastDays(history, ['2031-05-12', '2031-05-13', '2031-05-14'])).toEqual([
    { day: '2031-05-12', size: undefined, entered: 0, left: 0 },
    { day: '2031-05-13', size: 4, entered: 4, left: 0 },
    { day: '2031-05-14', size: 4, entered: 0, left: 0 },
  ]);
});

it.each([
  [undefined, { bound: 'least', times: 1 }],
  ['{"$gte":3}', { bound: 'least', times: 3 }],
  [{ $gt: 2 }, { bound: 'least', times: 3 }],
  [{ $lt: 3 }, { bound: 'most', times: 2 }],
  [{ $eq: 2 }, { bound: 'exactly', times: 2 }],
  [4, { bound: 'least', times: 4 }],
  [{ $gte: 1, $lte: 2 }, undefined],
  ['x', undefined],
])('reads how often: %j', (sent, want) => expect(timesOf(sent)).toEqual(want));

it('knows how many days a period has', () => expect(['30days', '"0days"', 'month'].map(daysOf)).toEqual([30, 0, undefined]));

it('leaves out rules without an event, and begins with no conjunction of its own', () => {
  const draft = { rules: [newRule, { ...newRule, event: 'buy', conj: 'or' as const, type: 'first' as const }, { ...newRule, event: 'see', conj: 'or' as const, bound: 'most' as const, times: 2 }], people: {} };
  const found = conditionsOf(draft);
  expect(found.steps).toEqual([
    { type: 'first', event: 'buy', period: '30days', query: {}, conj: 'and' },
    { type: 'did', event: 'see', period: '30days', times: { $lte: 2 }, query: {}, conj: 'or' },
  ]);
  expect(isAsking(found)).toBe(true);
  expect(isAsking(conditionsOf(newDraft('auto')))).toBe(false);
});

it('what is done one after the other has one period, and no times', () => {
  const rules = [
    { ...newRule, event: 'see', type: 'first' as const, period: '7days', times: 3 },
    { ...newRule, event: 'try', conj: 'then' as const, within: { amount: 2, unit: 'hours' as const } },
    { ...newRule, event: 'buy', conj: 'then' as const, type: 'didnt' as const, period: '90days', within: { amount: 999, unit: 'days' as const } },
    { ...newRule, event: 'pay', conj: 'or' as const },
  ];
  expect(conditionsOf({ rules, people: {} }).steps).toEqual([
    { type: 'did', event: 'see', period: '90days', query: {}, conj: 'and' },
    { type: 'did', event: 'try', period: '90days', query: {}, conj: 'then', within: 7200 },
    { type: 'didnt', event: 'buy', period: '90days', query: {}, conj: 'then', within: 31_622_400 },
    { type: 'did', event: 'pay', period: '30days', times: { $gte: 1 }, query: {}, conj: 'or' },
  ]);
  expect(conditionsOf({ rules: rules.slice(1, 2), people: {} }).steps).toEqual([{ type: 'did', event: 'try', period: '30days', times: { $gte: 1 }, query: {}, conj: 'and' }]);
});

it('a cohort is sent as it was read', () => {
  const steps = [
    { event: 'buy', type: 'did' as const, period: '7days', times: { $gte: 2 }, query: { 'sg.plan': 'pro' }, conj: 'and' },
    { event: 'see', type: 'did' as const, period: '3days', query: {}, conj: 'or' },
    { event: 'buy', type: 'did' as const, period: '3days', query: {}, conj: 'then', within: 5400 },
  ];
  const kept = { _id: 'c', name: 'C', description: '', type: 'auto' as const, steps, user_segmentation: { cc: 'DE' }, visibility: 'private' as const, shared_email_edit: ['a@b.c'], created_at: 0, state: 'completed', result: 1, last_calculated: 0, live: false, scheduled: '' as const };
  expect(toSent(fromCohort(kept))).toEqual({ cohort_name: 'C', cohort_desc: '', type: 'auto', visibility: 'private', shared_email_edit: ['a@b.c'], steps, user_segmentation: { cc: 'DE' } });
});
