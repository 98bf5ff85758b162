// @vitest-environment jsdom
import { renderHook } from '@testing-library/react';
import i18next from 'i18next';
import { beforeAll, describe, expect, it } from 'vitest';
import { laterTexts as features } from '..';
import { unitsNamed, useUnits } from '../../components/filter/useUnits';
import { laterTexts, start } from '../../i18n';
import { useMeasureWords } from '../../parts/trends/useDefinition';

describe.each([
  ['en', '', 'Users', 'user', 'users', 'Users', 'Count per user'],
  ['en', 'sessions', 'Sessions', 'session', 'sessions', 'Sessions', 'Count per session'],
  ['en', 'custom.company', 'Accounts', 'account', 'accounts', 'Accounts', 'Count per account'],
  ['de', '', 'Nutzer', 'Nutzer', 'Nutzer', 'Nutzer', 'Anzahl pro Nutzer'],
  ['de', 'sessions', 'Sitzungen', 'Sitzung', 'Sitzungen', 'Sitzungen', 'Anzahl pro Sitzung'],
  ['de', 'custom.company', 'Konten', 'Konto', 'Konten', 'Konten', 'Anzahl pro Konto'],
] as const)('what is counted in %s by "%s"', (lang, count, name, one, more, measure, each) => {
  beforeAll(async () => {
    await start(features, lang);
    await laterTexts();
  });

  it('is called so, as many as there are', () => {
    const { result } = renderHook(() => useUnits(count));
    expect([result.current.name, ...[0, 1, 2].map(result.current.units)]).toEqual([name, more, one, more]);
  });

  it('is what measures are called by', () => {
    const { result } = renderHook(() => useMeasureWords(count));
    expect(['u', 'per_user'].map((m) => result.current(m as 'u'))).toEqual([measure, each]);
  });

  it('fits into sentences', () => {
    const { result } = renderHook(() => useUnits(count));
    const said = (n: number) => i18next.t('retention.summary', { count: n, number: String(n), units: result.current.units(n) });
    expect([1, 2].map(said)).toEqual(lang === 'en' ? [`1 ${one} started.`, `2 ${more} started.`] : [`1 ${one} hat begonnen.`, `2 ${more} haben begonnen.`]);
  });
});

it('names the property whose values are accounts', () => {
  const fields = [{ path: 'custom.company', name: 'Company', group: '', kind: 'text' as const, decode: (text: string) => text }];
  expect(['', 'sessions', 'custom.company', 'custom.gone'].map((count) => unitsNamed('X', fields, count))).toEqual(['X', 'X', 'X (Company)', 'X (custom.gone)']);
});
