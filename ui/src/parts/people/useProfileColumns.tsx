import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import type { Column } from '../../components/table/columns';
import { useFormat } from '../../i18n';
import { useView } from '../../lib/useView';
import { carried } from '../../lib/view';
import { decoders, groups, keyOf, type Dimension } from '../metrics/definitions';
import type { Profile } from './api';

/** The usual order of lists of people: those who were active last come first. */
export const usualOrder = '-lac';

/** The dimensions that lists of people are made for. The others are there for those who choose them. */
const usual: readonly Dimension[] = ['countries', 'cities', 'platforms', 'devices', 'app_versions'];

/** The columns of lists of people. Of the whole list, people know the next and the previous one. */
export function useProfileColumns(app: App, whole = false): Column<Profile>[] {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const [view] = useView();
  return useMemo(() => {
    const decode = decoders(i18n.language);
    const time = (seconds: number | undefined) => (seconds === undefined || seconds === 0 ? '–' : format.moment(seconds * 1000, app.timezone));
    const way = whole ? { filter: view.filter, q: view.q, sort: view.sort === '' ? usualOrder : view.sort, page: view.page } : {};
    const ofDimension = (dimension: Dimension): Column<Profile> => {
      const key = keyOf(dimension);
      const read = (p: Profile, unknown: string) => {
        const value = p[key];
        return value === undefined || value === '' ? unknown : decode[dimension](value);
      };
      return { key, title: t(`one.${dimension}`), value: (p) => read(p, ''), text: (p) => read(p, '–'), ...(usual.includes(dimension) ? {} : { rare: true }) };
    };
    return [
      {
        key: 'name',
        title: t('profiles.person'),
        fixed: true,
        value: (p) => p.name ?? p.did,
        text: (p) => p.name ?? p.did,
        cell: (p) => (
          <>
            <Anchor
              size="sm"
              renderRoot={(props) => <Link {...props} to="/apps/$appId/profiles/$uid" params={{ appId: app._id, uid: p.uid }} search={{ ...carried(view), ...way }} />}
            >
              {p.name ?? p.email ?? p.username ?? p.did}
            </Anchor>
            {p.email !== undefined && (
              <Text size="xs" c="dimmed" className="clip" title={p.email}>
                {p.email}
              </Text>
            )}
          </>
        ),
      },
      { key: 'lac', title: t('profiles.lac'), short: true, value: (p) => p.lac ?? 0, text: (p) => time(p.lac) },
      { key: 'fac', title: t('profiles.fac'), short: true, value: (p) => p.fac ?? 0, text: (p) => time(p.fac) },
      { key: 'sc', title: t('metric.sessions'), numeric: true, value: (p) => p.sc ?? 0, text: (p) => format.count(p.sc ?? 0) },
      { key: 'tsd', title: t('metric.time'), numeric: true, value: (p) => p.tsd ?? 0, text: (p) => format.duration(p.tsd ?? 0) },
      ...Object.values(groups).flat().map(ofDimension),
    ];
  }, [t, i18n.language, format, app, view, whole]);
}
