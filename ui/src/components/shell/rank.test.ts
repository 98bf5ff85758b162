import { expect, it } from 'vitest';
import { pages } from './pages';
import { rank } from './rank';
import { synonyms } from './synonyms';

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
  ['dau', 'page-users'],
  ['realtime', 'page-live'],
])('%j leads to %s', (text, id) => {
  const all = Object.entries(synonyms).map(([id, words]) => ({ id, label: id, words }));
  expect(rank(all, text)[0]?.id).toBe(id);
});

it('has words for things that are there, in small letters', () => {
  const known = new Set(pages.map((p) => `page-${p.id}`));
  for (const [id, words] of Object.entries(synonyms)) {
    if (id.startsWith('page-')) expect(known).toContain(id);
    expect(words).toEqual(words.map((w) => w.toLowerCase()));
  }
});
