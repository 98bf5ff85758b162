import { useQuery } from '@tanstack/react-query';
import type { ParseKeys } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { decodeName } from '../../lib/wire';
import { decoders, groups, keyOf, type Dimension } from '../metrics/definitions';
import { useCohortField } from '../cohorts/field';
import { partsOf } from '../events/defined';
import { useDefined } from '../events/useDefined';
import { labels, properties, type Label, type Property } from '../properties/api';
import type { Field } from '../../components/filter/field';
import type { Kind } from '../../components/filter/filter';

type Fixed = readonly [path: string, name: ParseKeys, kind: Kind, metric?: Dimension];

const ofDimension = (metric: Dimension): Fixed => [keyOf(metric), `one.${metric}`, 'text', metric];

const person: readonly Fixed[] = [
  ...groups.person.map(ofDimension),
  ['name', 'profiles.person', 'text'],
  ['email', 'profiles.email', 'text'],
  ['username', 'profiles.username', 'text'],
  ['organization', 'profiles.organization', 'text'],
  ['gender', 'profiles.gender', 'text'],
  ['byear', 'profiles.byear', 'number'],
  ['did', 'profiles.did', 'text'],
];

/** What changes with every session. Events do not have it. */
const latest: readonly Fixed[] = [
  ['sc', 'metric.sessions', 'number'],
  ['tsd', 'explore.seconds', 'number'],
  ['lac', 'profiles.lac', 'moment'],
  ['fac', 'profiles.fac', 'moment'],
];

const activity = groups.activity.map(ofDimension);
const device = groups.device.map(ofDimension);

const plain = (text: string) => text;

/** The properties that people, or events and those behind them, are chosen by. */
export function useFields(appID: string, of: 'people' | 'events', events: readonly string[], withPeople: boolean): Field[] {
  const { t, i18n } = useTranslation();
  const { data } = useQuery(properties(appID));
  const said = useQuery(labels(appID)).data;
  const defined = useDefined(appID);
  const cohort = useCohortField(appID);
  return useMemo(() => {
    const decode = decoders(i18n.language);
    // At an event, a user's properties are those of that time.
    const prefix = of === 'events' ? 'up.' : '';
    const fixed = (group: string, list: readonly Fixed[]) =>
      list.map(([path, name, kind, metric]): Field => {
        const { label, hidden }: Partial<Label> = said?.[`up.${path}`] ?? {};
        return {
          path: `${prefix}${path}`,
          name: label === undefined || label === '' ? t(name) : label,
          group,
          kind,
          decode: metric === undefined ? plain : decode[metric],
          ...(metric === undefined ? {} : { metric }),
          ...(hidden === true ? { hidden } : {}),
        };
      });
    const own = (group: string, start: string, list: readonly Property[]) =>
      list.map(({ name, label, kind, hidden }): Field => ({ path: `${start}${name}`, name: label ?? name, group, kind, decode: decodeName, ...(hidden ? { hidden } : {}) }));
    const people = !withPeople
      ? cohort
      : [
          ...cohort,
          ...fixed(t('profiles.person'), person),
          ...fixed(t('profiles.activity'), of === 'events' ? activity : [...latest, ...activity]),
          ...fixed(t('profiles.device'), device),
          ...own(t('profiles.custom'), 'custom.', data?.custom ?? []),
        ];
    if (of === 'people') return people;
    const segments = new Map<string, Property>();
    const meant = new Set(events.flatMap((key) => [key, ...(defined?.filter((d) => d._id === key).flatMap(partsOf) ?? []).map((p) => p.event)]));
    for (const event of data?.events ?? []) {
      if (!meant.has(event.key)) continue;
      for (const p of event.properties) {
        const known = segments.get(p.name);
        segments.set(p.name, known === undefined || known.kind === p.kind ? p : { ...p, kind: 'any' });
      }
    }
    return [...own(t('explore.ofEvents'), 'sg.', [...segments.values()]), ...people];
  }, [t, i18n.language, data, said, defined, cohort, of, events, withPeople]);
}
