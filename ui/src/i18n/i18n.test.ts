import { describe, expect, it } from 'vitest';
import { features } from '../features';
import laterDe from '../features/texts.de';
import laterEn from '../features/texts.en';
import { firstDayOf, inside, localeOf, preferred } from '.';
import de from './de.json';
import en from './en.json';

const all = { en: [en, ...laterEn], de: [de, ...laterDe] };

/** All keys of a catalogue with the placeholders that their texts use. */
function entries(tree: object, path = ''): string[] {
  return Object.entries(tree).flatMap(([key, value]: [string, unknown]) => {
    if (typeof value === 'object' && value !== null) return entries(value, `${path}${key}.`);
    const text = String(value);
    expect(text, `${path}${key}`).not.toBe('');
    const holes = [...text.matchAll(/{{\w+}}/g)].map((m) => m[0]).sort();
    return [`${path}${key} ${holes.join(' ')}`];
  });
}

describe('catalogues', () => {
  it('have the same keys and placeholders', () => {
    expect(all.de.length).toBe(all.en.length);
    all.en.forEach((part, i) => expect(entries(all.de[i] ?? {}).sort()).toEqual(entries(part).sort()));
  });

  it('have no text twice', () => {
    const every = all.en.flatMap((part) => entries(part));
    expect(every.length).toBeGreaterThan(800);
    expect(every.filter((entry, i) => every.indexOf(entry) !== i)).toEqual([]);
  });

  it('are named by the manifests of the features that have them', () => {
    expect(Object.keys(import.meta.glob('../features/*/en.json')).length).toBe(features.filter((feature) => 'texts' in feature).length);
  });
});

it.each([
  ['App version', 'en', 'app version'],
  ['SDK', 'en', 'SDK'],
  ['Stadt', 'de', 'Stadt'],
])('writes %s inside a sentence of %s as %s', (name, lang, want) => expect(inside(name, lang)).toBe(want));

describe('preferred', () => {
  it.each([
    ['de', ['en-US'], 'de'],
    [null, ['fr', 'de-AT', 'en'], 'de'],
    [null, ['fr'], 'en'],
    ['xx', [], 'en'],
  ])('with %s stored and %j wanted', (stored, wanted, want) => {
    expect(preferred(stored, wanted)).toBe(want);
  });
});

describe('localeOf', () => {
  it.each([
    ['en', ['en-GB'], 'en-GB'],
    ['en', ['en-US', 'en'], 'en-US'],
    ['en', ['fr-FR', 'en-US'], 'fr-FR'],
    ['de', ['de-AT'], 'de-AT'],
    ['en', ['de-DE', 'de', 'en-US'], 'en-DE'],
    ['de', ['en-US'], 'de'],
    ['en', ['de'], 'en'],
    ['en', ['de_DE.UTF-8', 'en-GB'], 'en-GB'],
    ['en', [], 'en'],
  ])('of %s texts for %j', (lang, wanted, want) => expect(localeOf(lang, wanted)).toBe(want));
});

it.each([
  ['en-US', 0],
  ['en-GB', 1],
  ['de-DE', 1],
  ['en', 0],
])('weeks of %s begin on day %d', (locale, want) => expect(firstDayOf(locale)).toBe(want));
