import { Anchor, Group, Loader, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Section } from '../../components/Section';
import { Failed, Loading } from '../../components/States';
import type { Column } from '../../components/table/columns';
import { DataTable } from '../../components/table/DataTable';
import { useFormat } from '../../i18n';
import { addDays, momentIn } from '../../lib/period';
import { useTime } from '../../lib/useView';
import type { App } from '../apps/api';
import { decoders } from '../metrics/definitions';
import type { Profile } from '../profiles/api';
import { counted, people } from './api';
import './explore.css';

/** How many people a filter selects, and some of them. */
export function PeoplePreview({ app, filter }: { app: App; filter: object }) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const [task, setTask] = useState<string>();
  const found = useQuery(people(app._id, filter, setTask));
  const all = useQuery(people(app._id, {}));
  const columns = useMemo((): Column<Profile>[] => {
    const decode = decoders(i18n.language);
    return [
      {
        key: 'name',
        title: t('profiles.person'),
        fixed: true,
        value: (p) => p.name ?? p.did,
        text: (p) => p.name ?? p.did,
        cell: (p) => (
          <Anchor size="sm" className="breakable" renderRoot={(props) => <Link {...props} to="/apps/$appId/profiles/$uid" params={{ appId: app._id, uid: p.uid }} />}>
            {p.name ?? p.email ?? p.username ?? p.did}
          </Anchor>
        ),
      },
      { key: 'lac', title: t('profiles.lac'), short: true, value: (p) => p.lac ?? 0, text: (p) => (p.lac === undefined ? '–' : format.moment(p.lac * 1000, app.timezone)), sortable: false },
      { key: 'sc', title: t('metric.sessions'), numeric: true, value: (p) => p.sc ?? 0, text: (p) => format.count(p.sc ?? 0), sortable: false },
      { key: 'cc', title: t('one.countries'), value: (p) => p.cc ?? '', text: (p) => (p.cc === undefined ? '–' : decode.countries(p.cc)), sortable: false },
      { key: 'p', title: t('one.platforms'), value: (p) => p.p ?? '', text: (p) => p.p ?? '–', sortable: false },
    ];
  }, [t, i18n.language, format, app]);
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
          {found.data.aaData.length > 0 && <DataTable caption={t('explore.some')} columns={columns} rows={found.data.aaData} file={`${app.name} ${t('nav.explore')}`} plain />}
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

/** Says that the server works on the answer as a task, so that nobody needs to wait for it here. */
function GoesOn({ task }: { task: string }) {
  const { t } = useTranslation();
  return (
    <Group role="status" gap="sm" mb="sm" wrap="nowrap" align="flex-start">
      <Loader size="xs" mt={3} aria-hidden />
      <Text size="sm" c="dimmed">
        {t('explore.goesOn')}{' '}
        <Anchor size="sm" underline="always" renderRoot={(props) => <Link {...props} to="/manage/tasks" search={{ open: task }} />}>
          {t('explore.toTask')}
        </Anchor>
      </Text>
    </Group>
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
