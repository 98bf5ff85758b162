import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import type { Column } from '../../components/table/columns';
import { useFormat } from '../../i18n';
import { useView } from '../../lib/useView';
import { carried } from '../../lib/view';
import { decodeVersion } from '../../lib/wire';
import { decoders } from '../metrics/definitions';
import type { Profile } from './api';

/** The usual order of lists of people: those who were active last come first. */
export const usualOrder = '-lac';

/** The columns of lists of people. Of the whole list, people know the next and the previous one. */
export function useProfileColumns(app: App, whole = false): Column<Profile>[] {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const [view] = useView();
  return useMemo(() => {
    const decode = decoders(i18n.language);
    const time = (seconds: number | undefined) => (seconds === undefined || seconds === 0 ? '–' : format.moment(seconds * 1000, app.timezone));
    const way = whole ? { filter: view.filter, q: view.q, sort: view.sort === '' ? usualOrder : view.sort, page: view.page } : {};
    const plain = (key: 'p' | 'd' | 'cty' | 'av', title: string, read = (text: string) => text): Column<Profile> => ({
      key,
      title,
      value: (p) => read(p[key] ?? ''),
      text: (p) => read(p[key] ?? '–'),
    });
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
      { key: 'cc', title: t('one.countries'), value: (p) => p.cc ?? '', text: (p) => (p.cc === undefined ? '–' : decode.countries(p.cc)) },
      plain('cty', t('one.cities')),
      plain('p', t('one.platforms')),
      plain('d', t('one.devices')),
      plain('av', t('one.app_versions'), decodeVersion),
    ];
  }, [t, i18n.language, format, app, view, whole]);
}
