import { describe, expect, it } from 'vitest';
import type { Entry } from './api';
import { empty, matching, most, next, type Feed, type FeedAction } from './feed';

const entries = (...ids: number[]): Entry[] => ids.map((id) => ({ id: String(id), at: id }));
const add = (ids: number[], skipped?: number): FeedAction => ({ do: 'add', part: { entries: entries(...ids), ...(skipped === undefined ? {} : { skipped }) } });
const after = (...actions: FeedAction[]) => actions.reduce(next, empty);
const ids = (list: readonly Entry[]) => list.map((e) => Number(e.id));

describe('feed', () => {
  it('shows the newest first, and each entry once', () => {
    const feed = after(add([1, 2]), add([2, 3], 4));
    expect(ids(feed.shown)).toEqual([3, 2, 1]);
    expect(feed).toMatchObject({ skipped: 4, seen: 7 });
  });

  it('shows what was there before, without counting it', () => {
    const feed = after({ do: 'add', part: { entries: entries(1, 2), past: true } }, add([3]), { do: 'pause' }, add([2, 4]));
    expect([ids(feed.shown), ids(feed.waiting), feed.seen]).toEqual([[3, 2, 1], [4], 2]);
  });

  it('lets entries wait while it is paused', () => {
    const paused = after(add([1]), { do: 'pause' }, add([2]), add([3]));
    expect([ids(paused.shown), ids(paused.waiting)]).toEqual([[1], [3, 2]]);
    const on = next(paused, { do: 'resume' });
    expect([ids(on.shown), ids(on.waiting), on.paused]).toEqual([[3, 2, 1], [], false]);
  });

  it('keeps so many, and counts those of a long pause', () => {
    const many = Array.from({ length: most + 50 }, (_, i) => i);
    const shown: Feed = after(add(many));
    expect(shown.shown).toHaveLength(most);
    expect(ids(shown.shown)[0]).toBe(most + 49);
    expect(shown.skipped).toBe(0);
    const paused = after({ do: 'pause' }, add(many));
    expect(paused.waiting).toHaveLength(most);
    expect(paused.skipped).toBe(50);
  });
});

it.each([
  ['', [1, 2]],
  ['  TWO ', [2]],
  ['entry two', [2]],
  ['three', []],
])('finds %j', (q, want) => {
  expect(ids(matching(entries(1, 2), q, (e) => (e.id === '1' ? 'Entry one' : 'Entry two')))).toEqual(want);
});
