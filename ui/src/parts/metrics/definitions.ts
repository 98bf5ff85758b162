import i18next from 'i18next';
import { recordOf } from '../../lib/record';
import { nameOfStore } from '../../lib/stores';
import { decodeName, decodeNamed, decodeSystem, decodeVersion } from '../../lib/wire';
import { table } from './table.gen';

/** What sessions and users are broken down by, with the names of the API. */
export type Dimension = keyof typeof table;

/** The name of a dimension's field in profiles. */
export type DimensionKey = (typeof table)[Dimension]['key'];

/** All dimensions, in the order of the server's table. */
export const dimensions = Object.keys(table) as Dimension[];

/** What the figures of values are, as they are explained. */
export const terms = ['values', 'sessions', 'users', 'newUsers'] as const;

/** All dimensions but some. */
const others = (some: readonly Dimension[]): Dimension[] => dimensions.filter((d) => !some.includes(d));

type Tabs = readonly [Dimension, ...Dimension[]];

/** The dimensions with pages of their own, and those that the page of countries shows. */
const elsewhere = { versions: ['app_versions', 'sdks'], cities: ['cities'], languages: ['langs'], sources: ['sources'] } as const satisfies Record<string, Tabs>;
const onMap: readonly Dimension[] = ['countries', 'regions'];

/** The dimensions of a page, as its tabs. What has no place elsewhere is about devices and systems. */
export const tabs: Readonly<Record<'technology' | keyof typeof elsewhere, Tabs>> = {
  technology: ['platforms', ...others(['platforms', ...onMap, ...Object.values(elsewhere).flat()])],
  ...elsewhere,
};

const person: readonly Dimension[] = ['countries', 'regions', 'cities', 'langs'];
const activity: readonly Dimension[] = ['sources'];

/** The dimensions among the properties of people, as profiles and filters group these. What has no place elsewhere is about the device. */
export const groups = { person, activity, device: others([...person, ...activity]) } as const;

/** The field of profiles, and the property up.… of events, that holds the value of a dimension. */
export const keyOf = (dimension: Dimension): DimensionKey => table[dimension].key;

/** The value that stands for all values beyond the most that a metric may have. */
export const other = '[CLY]_other';

/** The value of those that sent none. */
export const unknown = 'Unknown';

type Decoder = (text: string) => string;

const cache = new Map<string, Record<Dimension, Decoder>>();

/** How values of a dimension are written in a language. */
export function decoders(lang: string): Record<Dimension, Decoder> {
  const known = cache.get(lang);
  if (known !== undefined) return known;
  const orUnknown =
    (decode: Decoder): Decoder =>
    (text) =>
      text === unknown ? i18next.t('metric.unknown', { lng: lang }) : decode(text);
  const special: Partial<Record<Dimension, Decoder>> = {
    os_versions: decodeSystem,
    app_versions: decodeVersion,
    countries: nameOf(lang, 'region'),
    langs: nameOf(lang, 'language'),
    sources: (id) => nameOfStore(decodeName(id)),
  };
  const all = recordOf(dimensions, (d) => orUnknown(special[d] ?? (table[d].encoded ? decodeNamed : decodeName)));
  cache.set(lang, all);
  return all;
}

const chinese: Record<string, string> = { zh_hans: 'zh-Hans', zh_hant: 'zh-Hant' };

/** Names of countries or languages by their code; what has none is written as it is. */
export function nameOf(lang: string, type: 'region' | 'language'): Decoder {
  const names = new Intl.DisplayNames(lang, { type, fallback: 'code' });
  return (code) => {
    try {
      const name = names.of(chinese[code] ?? code) ?? code;
      return name.toLowerCase() === code.toLowerCase() ? code : name;
    } catch {
      return code; // no code at all
    }
  };
}
