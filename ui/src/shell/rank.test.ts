import { expect, it } from 'vitest';
import { words } from '../features/words';
import { entries, starts } from './menu';
import { rank } from './rank';
import { synonyms } from './synonyms';

/** What the palette finds by other words. */
const all = Object.entries({ ...words, ...synonyms }).map(([id, of]) => ({ id, label: id, words: of }));
const items = ['Sessions', 'Overview', 'App versions', 'Reversals', 'Events'].map((label) => ({ label }));

it.each([
  ['', ['Sessions', 'Overview', 'App versions', 'Reversals', 'Events']],
  ['ver', ['App versions', 'Overview', 'Reversals']],
  ['EV', ['Events', 'Reversals', 'Overview']],
  ['ssn', ['Sessions']],
  ['zz', []],
])('%j finds %j', (text, want) => expect(rank(items, text).map((i) => i.label)).toEqual(want));

it.each([
  ['logout', 'sign-out'],
  ['abmelden', 'sign-out'],
  ['new app', 'new-app'],
  ['neue app', 'new-app'],
  ['german', 'german'],
  ['browsers', 'page-technology'],
  ['gdpr', 'page-consent'],
  ['dsgvo', 'page-consent'],
  ['dau', 'page-active'],
  ['realtime', 'page-live'],
])('%j leads to %s', (text, id) => {
  expect(rank(all, text)[0]?.id).toBe(id);
});

it('has words for things that are there, in small letters, each once', () => {
  const known = new Set([...entries.map(({ id }) => `page-${id}`), ...starts.map(({ id }) => id)]);
  expect(Object.keys(words).filter((id) => !known.has(id))).toEqual([]);
  for (const { words: of } of all) {
    expect(of).toEqual(of.map((w) => w.toLowerCase()));
    expect(new Set(of).size).toBe(of.length);
  }
});
