// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook } from '@testing-library/react';
import i18next from 'i18next';
import type { ReactNode } from 'react';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { App } from '../../access/apps';
import * as v from '../../api/schema';
import { laterTexts as features } from '../../features';
import { useFields as useProfileFields } from '../../features/profiles/fields';
import { laterTexts, start } from '../../i18n';
import { found } from '../../features/metrics/found';
import { words } from '../../features/words';
import { entries } from '../../shell/menu';
import { rank } from '../../shell/rank';
import * as view from '../../lib/useView';
import { parseView } from '../../lib/view';
import { useFields } from '../filters/fields';
import { Profile } from '../people/api';
import { useProfileColumns } from '../people/useProfileColumns';
import { decoders, dimensions as names, groups, keyOf, tabs } from './definitions';
import { picked } from './pick';

const app: App = { _id: 'a', name: 'Shop', key: 'k', timezone: 'UTC', country: 'DE', category: '6', type: 'web', has_image: false };
const keys = names.map(keyOf);
const none: readonly string[] = [];

/** Somebody of whom every dimension is known. */
const person = v.safeParse(Profile, { _id: 'x', uid: '1', did: 'd', ...Object.fromEntries(keys.map((key) => [key, '2:1'])) });

const wrapper = ({ children }: { children: ReactNode }) => <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>;

/** What a hook returns where no read is ever answered. */
function resultOf<T>(hook: () => T): T {
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  vi.spyOn(view, 'useView').mockReturnValue([parseView({}), () => undefined]);
  return renderHook(hook, { wrapper }).result.current;
}

describe.each(['en', 'de'] as const)('every dimension in %s', (lang) => {
  beforeAll(async () => {
    await start(features, lang);
    await laterTexts();
  });
  const one = () => names.map((name) => i18next.t(`one.${name}`));

  it('has its labels', () => {
    for (const name of names) expect([i18next.exists(`one.${name}`), i18next.exists(`dimension.${name}`)], name).toEqual([true, true]);
  });

  it('is found by the palette', () => {
    const route = { fullPath: '/' };
    const pages = entries.map(({ id, label }) => ({ label: i18next.t(label), words: words[`page-${id}`] ?? [] }));
    const items = [...pages, ...found([{ page: 'technology', route }, { page: 'versions', route }])];
    const named = items.map(({ label }) => label);
    expect(named.filter((label, i) => named.indexOf(label) !== i), 'listed twice').toEqual([]);
    for (const name of names) {
      const label = i18next.t(`dimension.${name}`);
      const [first] = rank(items, label);
      const exact = first?.label === label || (first !== undefined && 'words' in first && first.words.includes(label.toLocaleLowerCase()));
      expect(exact, label).toBe(true);
    }
  });

  it.each([
    ['people', ''],
    ['events', 'up.'],
  ] as const)('is a field of the filter of %s', (of, prefix) => {
    const found = new Map(resultOf(() => useFields('a', of, none, true)).map((field) => [field.path, field]));
    const got = keys.map((key) => found.get(`${prefix}${key}`));
    expect(got.map((field) => field?.name)).toEqual(one());
    expect(got.map((field) => field?.metric)).toEqual(names);
  });

  it('is a column of lists of people', () => {
    const columns = new Map(resultOf(() => useProfileColumns(app)).map((column) => [column.key, column]));
    expect(keys.map((key) => columns.get(key)?.title)).toEqual(one());
    if (!person.success) throw new Error('no profile');
    const decode = decoders(lang);
    expect(keys.map((key) => columns.get(key)?.text(person.output))).toEqual(names.map((name) => decode[name]('2:1')));
    const nobody: Profile = { _id: 'y', uid: '2', did: 'e' };
    expect(keys.map((key) => columns.get(key)?.text(nobody))).toEqual(keys.map(() => '–'));
  });

  it('is shown by profiles', () => {
    if (!person.success) throw new Error('no profile');
    const { output } = person;
    const shown = new Map(resultOf(() => useProfileFields(output, 'UTC')).flatMap(({ fields }) => fields));
    const decode = decoders(lang);
    expect(one().map((name) => shown.get(name))).toEqual(names.map((name) => decode[name]('2:1')));
  });
});

it('each has one place: a tab, or the map of countries', () => {
  expect([...Object.values(tabs).flat(), 'countries', 'regions'].sort()).toEqual([...names].sort());
  expect(Object.values(groups).flat().sort()).toEqual([...names].sort());
});

it('those that nothing is said of are about devices and systems, and written as they are encoded', () => {
  expect([tabs.technology.includes('density'), groups.device.includes('density')]).toEqual([true, true]);
  expect([decoders('en').sdks('[js]_24:1'), decoders('en').density('2:1')]).toEqual(['js 24.1', '2:1']);
});

it('filters by the property that holds it', () => {
  for (const name of names) expect(JSON.parse(picked('', name, 'x'))).toEqual({ [`up.${keyOf(name)}`]: { $in: ['x'] } });
});
