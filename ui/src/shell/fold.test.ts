// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { areas, type Area } from '../feature/manifest';
import { fold, keep, none, recall, starred, visited } from './fold';
import { entries } from './menu';

const ids = (groups: ReturnType<typeof fold>) => groups.map((g) => [g.id, g.shown.map((p) => p.id).join(), g.more]);
const pages = (['figures', 'analysis'] as const).flatMap((area) => Array.from({ length: 14 }, (_, i) => ({ id: `${area[0] ?? ''}${String(i)}`, area })));

describe('fold', () => {
  it('shows one area, and how much more there is', () => {
    expect(ids(fold(pages, none, 'figures', new Set(), 'f0'))).toEqual([['figures', 'f0,f1,f2,f3,f4,f5,f6,f7,f8,f9,f10,f11', 2], ['analysis', '', 14]]);
    expect(ids(fold(pages, none, undefined, new Set(), 'f0'))).toEqual([['figures', '', 14], ['analysis', '', 14]]);
  });

  it('shows an area as a whole when asked to', () => {
    const [group] = fold(pages, none, 'figures', new Set(['figures' as const]), 'f0');
    expect([group?.shown.length, group?.more]).toEqual([14, 0]);
  });

  it('has the page that is open among those of its area', () => {
    expect(fold(pages, none, 'figures', new Set(), 'f13')[0]?.shown.map((p) => p.id).at(-1)).toBe('f13');
  });

  it('begins with favourites and the pages opened last, each once', () => {
    const own = { favourites: ['a1', 'gone', 'f2'], recent: ['f0', 'a2', 'a1', 'f5', 'a4', 'a5', 'a6'] };
    expect(ids(fold(pages, own, 'figures', new Set(), 'f0')).slice(0, 2)).toEqual([['favourites', 'a1,f2', 0], ['recent', 'a2,a4,a5', 0]]);
  });

  it('keeps about twelve pages in sight, whatever is opened and liked', () => {
    for (let seed = 0; seed < 300; seed++) {
      const pick = (n: number) => entries.filter((_, i) => (i * 7919 + seed * 104_729) % 13 < n).map((p) => p.id);
      const open: Area | undefined = seed % 7 === 6 ? undefined : areas[seed % 6];
      const here = entries[seed % entries.length];
      const groups = fold(entries, { favourites: pick(seed % 5), recent: pick(6) }, open, new Set(), here?.id);
      const sum = groups.reduce((n, g) => n + g.shown.length, 0);
      expect(sum, String(seed)).toBeLessThanOrEqual(13);
      if (here !== undefined && here.area === open) expect(groups.find((g) => g.id === open)?.shown, String(seed)).toContain(here);
      for (const area of areas) expect(groups.filter((g) => g.id === area), area).toHaveLength(1);
    }
  });
});

describe('what is a member\'s own', () => {
  it('has the pages opened last first, a dozen at most', () => {
    const own = Array.from({ length: 20 }, (_, i) => String(i)).reduce(visited, none);
    expect(own.recent).toEqual(['19', '18', '17', '16', '15', '14', '13', '12', '11', '10', '9', '8']);
    expect(visited(own, '10').recent.slice(0, 3)).toEqual(['10', '19', '18']);
    expect(visited(own, '19')).toBe(own);
  });

  it('has favourites until they are none any more', () => {
    const own = starred(starred(none, 'a'), 'b');
    expect(own.favourites).toEqual(['a', 'b']);
    expect(starred(own, 'a').favourites).toEqual(['b']);
  });

  it('is kept for each member, and read from anything', () => {
    keep('1', { favourites: ['a'], recent: ['b'] });
    expect(recall('1')).toEqual({ favourites: ['a'], recent: ['b'] });
    expect(recall('2')).toEqual(none);
    for (const text of ['', '{', 'null', '[]', '{"favourites":[1],"recent":"a"}']) {
      localStorage.setItem('quipu-menu:3', text);
      expect(recall('3'), text).toEqual(none);
    }
  });
});
