import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../i18n';
import { decodeName, decodeNamed, decodeSystem, decodeVersion } from '../../lib/wire';
import { decoders } from '../../parts/metrics/definitions';
import type { Profile } from '../../parts/people/api';

export interface FieldGroup {
  id: 'person' | 'activity' | 'device' | 'custom';
  fields: [string, string][];
}

/** Writes a value of a property of one's own. */
export function writeValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(writeValue).join(', ');
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  return String(value);
}

/** What is known about a person, in groups; what is not known is left out. */
export function useFields(p: Profile, zone: string): FieldGroup[] {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  return useMemo(() => {
    const decode = decoders(i18n.language);
    const known = (list: [string, string | number | undefined, ((text: string) => string)?][]) =>
      list.flatMap(([name, value, read = (text: string) => text]): [string, string][] =>
        value === undefined || value === '' ? [] : [[name, read(String(value))]],
      );
    const time = (seconds: string) => format.moment(Number(seconds) * 1000, zone);
    const some = (seconds: number | undefined) => (seconds === 0 ? undefined : seconds);
    return [
      {
        id: 'person',
        fields: known([
          [t('profiles.email'), p.email],
          [t('profiles.username'), p.username],
          [t('profiles.organization'), p.organization],
          [t('profiles.phone'), p.phone],
          [t('profiles.gender'), p.gender],
          [t('profiles.byear'), p.byear],
          [t('one.countries'), p.cc, decode.countries],
          [t('profiles.region'), p.rgn],
          [t('one.cities'), p.cty],
          [t('one.langs'), p.la, decode.langs],
        ]),
      },
      {
        id: 'activity',
        fields: known([
          [t('profiles.lac'), some(p.lac), time],
          [t('profiles.fac'), some(p.fac), time],
          [t('profiles.ls'), some(p.ls), time],
          [t('profiles.fs'), some(p.fs), time],
          [t('one.sources'), p.src, decodeName],
          [t('one.app_versions'), p.av, decodeVersion],
        ]),
      },
      {
        id: 'device',
        fields: known([
          [t('profiles.did'), p.did],
          [t('one.platforms'), p.p],
          [t('one.os_versions'), p.pv, decodeSystem],
          [t('one.devices'), p.d],
          [t('one.manufacturers'), p.mnf],
          [t('one.device_type'), p.dt],
          [t('one.resolutions'), p.r],
          [t('one.density'), p.dnst],
          [t('one.browser'), p.brwv ?? p.brw, decodeNamed],
          [t('one.carriers'), p.c],
        ]),
      },
      { id: 'custom', fields: Object.entries(p.custom ?? {}).map(([name, value]): [string, string] => [name, writeValue(value)]) },
    ];
  }, [p, zone, t, i18n.language, format]);
}
