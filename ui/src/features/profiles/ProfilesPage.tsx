import { Anchor, Box, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Answer } from '../../components/Answer';
import { Page } from '../../components/Page';
import { Notice } from '../../components/States';
import { parseSort, type Column } from '../../components/table/columns';
import { DataTable } from '../../components/table/DataTable';
import { useTableState } from '../../components/table/useTableState';
import { useFormat } from '../../i18n';
import { useView } from '../../lib/useView';
import { carried } from '../../lib/view';
import { decodeVersion } from '../../lib/wire';
import type { App } from '../apps/api';
import { WaysOn } from '../apps/WaysOn';
import { decoders } from '../metrics/definitions';
import { profiles, type Profile } from './api';

const size = 25;
const usualOrder = '-lac';

/** The people who use an app; the server searches, orders and pages. */
export function ProfilesPage({ app }: { app: App }) {
  const { t } = useTranslation();
  const format = useFormat();
  const table = useTableState(usualOrder, 'fac,cty,av');
  const columns = useProfileColumns(app);
  const [search] = useDebouncedValue(table.state.q.trim(), 250);
  const sort = parseSort(table.state.sort);
  const known = sort !== undefined && columns.some((c) => c.key === sort.key && c.sortable !== false);
  const query = useQuery(
    profiles(app._id, { search, sort: known ? sort : { key: 'lac', desc: true }, page: table.state.page, size }),
  );
  const count = query.data?.iTotalDisplayRecords;
  return (
    <Page title={t('nav.profiles')} lead={count !== undefined && t('profiles.count', { count, number: format.count(count) })}>
      <Answer query={query}>
        {({ aaData, iTotalDisplayRecords }) =>
          iTotalDisplayRecords === 0 && search === '' ? (
            <div className="card">
              <Notice title={t('profiles.none')} text={t('profiles.noneHint')} action={<WaysOn app={app} atFirst />} />
            </div>
          ) : (
            <Box className="card" p="md">
              <DataTable
                caption={t('nav.profiles')}
                columns={columns}
                rows={aaData}
                file={`${app.name} ${t('nav.profiles')}`}
                pageSize={size}
                remote={iTotalDisplayRecords}
                {...table}
              />
            </Box>
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
