import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../i18n';
import { decoders, groups, keyOf, type Dimension } from '../../parts/metrics/definitions';
import type { Profile } from '../../parts/people/api';

export interface FieldGroup {
  id: 'person' | 'activity' | 'device' | 'custom';
  fields: [string, string][];
}

/** What a property is called, its value, and how that is written. */
type Known = [name: string, value: string | number | undefined, write?: (text: string) => string];

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
    const of = (list: readonly Dimension[]) => list.map((d): Known => [t(`one.${d}`), p[keyOf(d)], decode[d]]);
    const known = (list: Known[]) =>
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
          ...of(groups.person),
        ]),
      },
      {
        id: 'activity',
        fields: known([
          [t('profiles.lac'), some(p.lac), time],
          [t('profiles.fac'), some(p.fac), time],
          [t('profiles.ls'), some(p.ls), time],
          [t('profiles.fs'), some(p.fs), time],
          ...of(groups.activity),
        ]),
      },
      {
        id: 'device',
        fields: known([[t('profiles.did'), p.did], ...of(groups.device)]),
      },
      { id: 'custom', fields: Object.entries(p.custom ?? {}).map(([name, value]): [string, string] => [name, writeValue(value)]) },
    ];
  }, [p, zone, t, i18n.language, format]);
}
