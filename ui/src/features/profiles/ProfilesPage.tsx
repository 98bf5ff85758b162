import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Answer } from '../../components/Answer';
import { Page } from '../../components/Page';
import { Notice } from '../../components/States';
import type { Column } from '../../components/table/columns';
import { pageOf } from '../../components/table/listing';
import { ServerTable } from '../../components/table/ServerTable';
import { useFormat } from '../../i18n';
import { useView } from '../../lib/useView';
import { carried } from '../../lib/view';
import { decodeVersion } from '../../lib/wire';
import type { App } from '../../access/apps';
import { WaysOn } from '../apps/WaysOn';
import { decoders } from '../metrics/definitions';
import { profileFile, profileList, type Profile } from './api';

/** The people who use an app; the server searches, orders and pages. */
export function ProfilesPage({ app }: { app: App }) {
  const { t } = useTranslation();
  const format = useFormat();
  const columns = useProfileColumns(app);
  const list = profileList(app._id);
  // The page that the table begins with, so that it is asked for once.
  const query = useQuery(pageOf(list, { search: '', sort: { key: 'lac', desc: true }, page: 1, size: 25 }));
  const count = query.data?.iTotalDisplayRecords;
  return (
    <Page title={t('nav.profiles')} lead={count !== undefined && t('profiles.count', { count, number: format.count(count) })}>
      <Answer query={query}>
        {() =>
          count === 0 ? (
            <div className="card">
              <Notice title={t('profiles.none')} text={t('profiles.noneHint')} action={<WaysOn app={app} atFirst />} />
            </div>
          ) : (
            <ServerTable
              caption={t('nav.profiles')}
              list={list}
              columns={columns}
              order="-lac"
              usuallyHidden="fac,cty,av"
              file={`${app.name} ${t('nav.profiles')}`}
              exported={profileFile(app._id)}
            />
          )
        }
      </Answer>
    </Page>
  );
}

/** The columns of lists of people. */
export function useProfileColumns(app: App): Column<Profile>[] {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const [view] = useView();
  return useMemo(() => {
    const decode = decoders(i18n.language);
    const time = (seconds: number | undefined) => (seconds === undefined || seconds === 0 ? '–' : format.moment(seconds * 1000, app.timezone));
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
              renderRoot={(props) => <Link {...props} to="/apps/$appId/profiles/$uid" params={{ appId: app._id, uid: p.uid }} search={carried(view)} />}
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
  }, [t, i18n.language, format, app, view]);
}
