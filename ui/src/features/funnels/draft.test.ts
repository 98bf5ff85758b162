import { describe, expect, it } from 'vitest';
import type { Funnel } from './api';
import { fromFunnel, moved, newDraft, newStep, ordered, problems, stepsOf, toSent, twice, withoutStep, type Draft } from './draft';

const step = (no: number, ...events: string[]) => ({ no, alternatives: [{ events, filter: {} }], optional: false, anchor: false });
const draft = (change: Partial<Draft> = {}): Draft => ({ ...newDraft(), name: 'Buy', steps: [step(1, 'view'), step(2, 'cart'), step(3, 'buy')], ...change });

/** What the server keeps of what is sent. */
function kept(d: Draft): Funnel {
  const { funnel_name: name, funnel_desc: description, funnel_type: type, steps, queries, stepGroups, options } = toSent(d);
  return { _id: 'f', name, description, type, steps, queries, stepGroups, options, created: 0 };
}

describe('a funnel that is made', () => {
  it('is sent in the words of the wire', () => {
    const sent = toSent(
      draft({
        steps: [
          { no: 1, alternatives: [{ events: ['view', 'look'], filter: {} }, { events: ['open'], filter: { 'sg.a': { $in: ['b'] } } }], optional: false, anchor: false },
          { ...step(7, 'cart'), optional: true },
          step(3, 'buy'),
        ],
        exclusions: [{ event: 'leave', filter: {}, from: 7, to: undefined }],
        window: { amount: 2, unit: 'hours' },
        order: 'strict',
        hold: ['sg.id'],
        repeat: true,
        sameSession: true,
      }),
    );
    expect(sent).toEqual({
      funnel_name: 'Buy',
      funnel_desc: '',
      funnel_type: 'same-session',
      steps: [['view', 'look'], 'open', 'cart', 'buy'],
      queries: ['{}', '{"sg.a":{"$in":["b"]}}', '{}', '{}'],
      queryTexts: ['', '', '', ''],
      stepGroups: [{ c: 'and' }, { c: 'or' }, { c: 'and' }, { c: 'and' }],
      options: { order: 'strict', window: 7200, exclusions: [{ event: 'leave', query: {}, from: 2 }], hold: ['sg.id'], optional: [2], reentry: 'repeat' },
    });
  });

  it('is read back as it was', () => {
    const d = draft({
      description: 'why',
      window: { amount: 90, unit: 'seconds' },
      steps: [{ no: 1, alternatives: [{ events: ['view'], filter: { cc: 'DE' } }, { events: ['open', 'look'], filter: {} }], optional: false, anchor: false }, { ...step(2, 'cart'), optional: true }, step(3, 'buy')],
      exclusions: [{ event: 'leave', filter: { cc: 'DE' }, from: 2, to: undefined }, { event: 'stop', filter: {}, from: undefined, to: 2 }],
      order: 'any',
      hold: ['sg.id'],
      repeat: true,
      sameSession: true,
    });
    expect(fromFunnel(kept(d))).toEqual(d);
    expect(fromFunnel(kept(draft({ window: undefined })))).toEqual(draft({ window: undefined }));
  });

  it('sends nothing of steps that may be skipped and are now the first or the last', () => {
    const d = draft({ steps: [{ ...step(1, 'view'), optional: true }, step(2, 'buy')] });
    expect(toSent(d).options).toEqual({ window: 604800 });
  });
});

describe('problems', () => {
  it.each<[string, Partial<Draft>, string[]]>([
    ['none', {}, []],
    ['a name of spaces', { name: '  ' }, ['name']],
    ['one step', { steps: [step(1, 'view')] }, ['few']],
    ['a step without an event', { steps: [step(1, 'view'), step(2)] }, ['event']],
    ['an event in two steps', { steps: [step(1, 'view'), step(2, 'buy', 'view')] }, ['twice']],
    ['sessions and views twice', { steps: [step(1, '[CLY]_view'), step(2, '[CLY]_view')] }, []],
    ['no number of a window', { window: { amount: undefined, unit: 'days' } }, ['window']],
    ['more than a leap year', { window: { amount: 367, unit: 'days' } }, ['window']],
    ['a leap year', { window: { amount: 366, unit: 'days' } }, []],
    ['an exclusion of nothing', { exclusions: [{ event: '', filter: {}, from: undefined, to: undefined }] }, ['event']],
    ['an exclusion backwards', { exclusions: [{ event: 'x', filter: {}, from: 2, to: 2 }] }, ['between']],
  ])('%s', (_, change, want) => expect(problems(draft(change))).toEqual(want));

  it('of what is new', () => expect(problems(newDraft())).toEqual(['name', 'event']));
});

describe('steps', () => {
  it('move, and keep what names them', () => {
    const d = draft({ exclusions: [{ event: 'x', filter: {}, from: 2, to: undefined }] });
    const up = moved(d, 2, -1);
    expect(up.steps.map((s) => s.no)).toEqual([2, 1, 3]);
    expect(moved(up, 2, -1)).toEqual(up);
    expect(toSent(up).options).toEqual({ window: 604800, exclusions: [{ event: 'x', query: {}, from: 1 }] });
    expect(withoutStep(d, 2).exclusions).toEqual([{ event: 'x', filter: {}, from: undefined, to: undefined }]);
  });

  it('get numbers that no other has', () => expect(newStep([step(4, 'a'), step(2, 'b')]).no).toBe(5));

  it('lie beside their alternatives', () => {
    expect(stepsOf({ steps: ['a', 'b', ['c', 'd']], queries: ['{}', '', 'not JSON'], stepGroups: [{ c: 'or' }, { c: 'or' }, null] })).toEqual([
      [{ events: ['a'], filter: {} }, { events: ['b'], filter: {} }],
      [{ events: ['c', 'd'], filter: {} }],
    ]);
    expect(twice([step(1, 'a', 'b'), step(2, 'b', 'a')])).toEqual(['b', 'a']);
  });
});

describe('steps that keep their place', () => {
  it('are the first and the last unless others are chosen', () => {
    const d = draft();
    const anchored = { ...d, ...ordered(d, 'anchored') };
    expect(anchored.steps.map((s) => s.anchor)).toEqual([true, false, true]);
    expect(toSent(anchored).options).toMatchObject({ order: 'anchored', anchors: [1, 3] });
    const moved = { ...anchored, steps: anchored.steps.map((s) => ({ ...s, anchor: s.no === 2 })) };
    expect(toSent(moved).options).toMatchObject({ anchors: [2] });
    expect(fromFunnel(kept(moved))).toEqual(moved);
    expect(toSent({ ...moved, order: 'any' }).options).not.toHaveProperty('anchors');
  });

  it('are what exclusions stand between', () => {
    const d = draft();
    const anchored = { ...d, ...ordered(d, 'anchored'), exclusions: [{ event: 'x', filter: {}, from: undefined, to: 2 }] };
    expect(problems(anchored)).toEqual(['anchors']);
    expect(problems({ ...anchored, exclusions: [{ event: 'x', filter: {}, from: undefined, to: undefined }] })).toEqual([]);
  });
});
