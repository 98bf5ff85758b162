import { Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { GoesOn } from '../../components/GoesOn';
import { Section } from '../../components/Section';
import { Failed, Loading } from '../../components/States';
import { pageOf } from '../../components/table/listing';
import { ServerTable } from '../../components/table/ServerTable';
import { useFormat } from '../../i18n';
import { addDays, momentIn } from '../../lib/period';
import { useTime } from '../../lib/useView';
import type { App } from '../../access/apps';
import { profileFile, profileList } from '../profiles/api';
import { useProfileColumns } from '../profiles/ProfilesPage';
import { counted } from './api';
import './explore.css';

/** How many people a page shows. */
const size = 10;

/** How many people a filter selects, and who they are. */
export function PeoplePreview({ app, filter }: { app: App; filter: object }) {
  const { t } = useTranslation();
  const [task, setTask] = useState<string>();
  const columns = useProfileColumns(app);
  const list = profileList(app._id, filter);
  // The page that the table begins with, so that it is asked for once.
  const found = useQuery(pageOf(list, { search: '', sort: { key: 'lac', desc: true }, page: 1, size }, setTask));
  const all = useQuery(pageOf(profileList(app._id, {}), { search: '', sort: { key: 'lac', desc: true }, page: 1, size }));
  return (
    <Section title={t('explore.found')}>
      {task !== undefined && found.isFetching && <GoesOn task={task} />}
      {found.error !== null ? (
        <Failed error={found.error} />
      ) : found.data === undefined ? (
        task === undefined && <Loading />
      ) : (
        <>
          <Share what="people" count={found.data.iTotalDisplayRecords} total={all.data?.iTotalDisplayRecords} />
          {found.data.aaData.length > 0 && (
            <ServerTable
              caption={t('explore.some')}
              list={list}
              columns={columns}
              order="-lac"
              usuallyHidden="fac,tsd,cty,d,av"
              file={`${app.name} ${t('nav.explore')}`}
              exported={profileFile(app._id, filter)}
              size={size}
              bare
              aside
            />
          )}
        </>
      )}
    </Section>
  );
}

/** How many items of events a filter selects in the period. */
export function EventsPreview({ app, events, filter }: { app: App; events: readonly string[]; filter: object }) {
  const { t } = useTranslation();
  const { span } = useTime(app);
  const from = momentIn(`${span.from}T00:00`, app.timezone) ?? 0;
  const to = (momentIn(`${addDays(span.to, 1)}T00:00`, app.timezone) ?? 1) - 1;
  const [task, setTask] = useState<string>();
  const { data, error, isFetching } = useQuery(counted(app._id, events, filter, from, to, setTask));
  return (
    <Section title={t('explore.found')}>
      {task !== undefined && isFetching && <GoesOn task={task} />}
      {events.length === 0 ? (
        <Text c="dimmed">{t('explore.chooseEvents')}</Text>
      ) : error !== null ? (
        <Failed error={error} />
      ) : data === undefined ? (
        task === undefined && <Loading />
      ) : (
        <Share what="events" count={data.count} total={data.total} />
      )}
    </Section>
  );
}

/** A number out of another one. */
function Share({ what, count, total }: { what: 'people' | 'events'; count: number; total: number | undefined }) {
  const { t } = useTranslation();
  const format = useFormat();
  const share = total === undefined || total === 0 ? undefined : Math.min(1, count / total);
  return (
    <Stack gap={6} role="status">
      <Text component="div">
        <span className="found-count">{format.count(count)}</span>{' '}
        <Text span c="dimmed">
          {total === undefined ? '' : t(`explore.of.${what}`, { total: format.count(total), share: format.percent(share ?? 0) })}
        </Text>
      </Text>
      {share !== undefined && <Progress value={share * 100} size="sm" aria-hidden />}
    </Stack>
  );
}
