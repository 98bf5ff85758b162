import i18next from 'i18next';
import { nameOfStore } from '../../lib/stores';
import { decodeName, decodeNamed, decodeSystem, decodeVersion } from '../../lib/wire';

/** What sessions and users are cut by, with the names of the API. */
export const dimensions = [
  'platforms', 'os_versions', 'devices', 'manufacturers', 'device_type', 'resolutions', 'density', 'browser', 'browser_version', 'carriers',
  'app_versions', 'sdks', 'countries', 'regions', 'cities', 'langs', 'sources',
] as const;
export type Dimension = (typeof dimensions)[number];

/** What the figures of values are, as they are explained. */
export const terms = ['values', 'sessions', 'users', 'newUsers'] as const;

/** The dimensions of a page, as its tabs. */
export const tabs = {
  technology: ['platforms', 'os_versions', 'devices', 'manufacturers', 'device_type', 'resolutions', 'density', 'browser', 'browser_version', 'carriers'],
  versions: ['app_versions', 'sdks'],
  cities: ['cities'],
  languages: ['langs'],
  sources: ['sources'],
} as const satisfies Record<string, readonly [Dimension, ...Dimension[]]>;

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
  const named: Record<Dimension, Decoder> = {
    platforms: orUnknown(decodeName),
    os_versions: orUnknown(decodeSystem),
    devices: orUnknown(decodeName),
    manufacturers: orUnknown(decodeName),
    device_type: orUnknown(decodeName),
    resolutions: orUnknown(decodeName),
    density: orUnknown(decodeName),
    browser: orUnknown(decodeName),
    browser_version: orUnknown(decodeNamed),
    carriers: orUnknown(decodeName),
    app_versions: orUnknown(decodeVersion),
    sdks: orUnknown(decodeNamed),
    countries: orUnknown(nameOf(lang, 'region')),
    regions: orUnknown(decodeName),
    cities: orUnknown(decodeName),
    langs: orUnknown(nameOf(lang, 'language')),
    sources: orUnknown((id: string) => nameOfStore(decodeName(id))),
  };
  cache.set(lang, named);
  return named;
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
