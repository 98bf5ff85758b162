import i18next from 'i18next';
import { describe, expect, it } from 'vitest';
import de from '../../i18n/de.json';
import en from '../../i18n/en.json';
import { decoders, dimensions, nameOf } from './definitions';
import { valuesOf } from './rows';

describe('valuesOf', () => {
  const rows = [
    { _id: '1:0', t: 1, n: 1, u: 1 },
    { _id: '2:0', t: 3, n: 0, u: 2 },
  ];
  it('orders by sessions and shares the sum', () => {
    const got = valuesOf(rows, undefined, (id) => id.replace(':', '.')).map((v) => [v.name, v.share, v.before]);
    expect(got).toEqual([
      ['2.0', 0.75, undefined],
      ['1.0', 0.25, undefined],
    ]);
  });
  it('has nothing for what was not there before', () => {
    const got = valuesOf(rows, { now: rows.slice(1), before: [{ _id: '2:0', t: 9, n: 1, u: 5 }] }, String).map((v) => [v.now?.t, v.before?.t]);
    expect(got).toEqual([
      [3, 9],
      [0, 0],
    ]);
  });
  it('shares nothing among nothing', () => {
    expect(valuesOf([{ _id: 'x', t: 0, n: 0, u: 0 }], undefined, String)[0]?.share).toBe(0);
  });
});

it('names countries and languages in the language of the person', () => {
  expect([nameOf('de', 'region')('ES'), nameOf('en', 'region')('ES')]).toEqual(['Spanien', 'Spain']);
  expect([nameOf('en', 'region')('Unknown'), nameOf('en', 'language')('pt')]).toEqual(['Unknown', 'Portuguese']);
  expect(nameOf('en', 'language')('zh_hans')).toBe('Simplified Chinese');
});

it('calls stores by their names', () => {
  const { sources } = decoders('en');
  expect(['com&#46;android&#46;vending', 'com.android.vending', 'example&#46;com', 'constructor'].map(sources)).toEqual(['Google Play', 'Google Play', 'example.com', 'constructor']);
});

it('can write every dimension, and that a value is not known, in each language', async () => {
  await i18next.init({ lng: 'en', resources: { en: { translation: en }, de: { translation: de } } });
  for (const name of dimensions) {
    expect(decoders('en')[name]('Unknown')).toBe('Unknown');
    expect(decoders('de')[name]('Unknown')).toBe('Unbekannt');
  }
});
