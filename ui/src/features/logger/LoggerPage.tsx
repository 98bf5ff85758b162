import { Anchor, Badge, Box, Button, Group, Select, Stack, Switch, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Answer } from '../../components/Answer';
import { CopyBlock } from '../../components/CopyBlock';
import { Detail } from '../../components/Detail';
import { Page } from '../../components/Page';
import { FieldList } from '../../components/Section';
import { Status } from '../../components/Status';
import type { Column } from '../../components/table/columns';
import { DataTable } from '../../components/table/DataTable';
import { Filters, FilterSelect } from '../../components/table/Filters';
import { useTableState } from '../../components/table/useTableState';
import { toasts } from '../../components/toasts';
import { useFormat } from '../../i18n';
import { useOnly, useView } from '../../lib/useView';
import { me } from '../account/api';
import { administers } from '../account/rights';
import type { App } from '../apps/api';
import { useSetAppConfigs } from '../settings/api';
import { parametersOf, readable, useRequestLog, type Logged } from './api';

/** How often new requests are asked for, in ms. */
const every = 3000;
const states = ['on', 'automatic', 'off'] as const;

/** The last requests that an app received, as its SDKs sent them. */
export function LoggerPage({ app }: { app: App }) {
  const { t } = useTranslation();
  const [live, setLive] = useState(true);
  const [view, set] = useView();
  const query = useQuery({ ...useRequestLog(app._id), refetchInterval: live ? every : false });
  const open = query.data?.logs.find((r) => r._id === view.open);
  return (
    <Page
      title={t('nav.logger')}
      lead={t('logger.lead')}
      actions={<Switch label={t('logger.live')} checked={live} onChange={(e) => setLive(e.currentTarget.checked)} />}
    >
      <Answer query={query}>
        {({ logs, state }) => (
          <>
            <Recording app={app} state={state} done={() => void query.refetch()} />
            <Requests app={app} logs={logs} onOpen={(id) => set({ open: id })} />
          </>
        )}
      </Answer>
      {open !== undefined && <RequestDetail app={app} request={open} onClose={() => set({ open: '' })} />}
    </Page>
  );
}

/** Whether requests are kept, and how to change that. */
function Recording({ app, state, done }: { app: App; state: string; done: () => void }) {
  const { t } = useTranslation();
  const member = useQuery(me).data;
  const save = useSetAppConfigs(app._id);
  const known = states.find((s) => s === state);
  const hint = known === undefined ? state : t(`logger.states.${known}Hint`);
  if (member === undefined || !administers(member, app._id)) {
    return (
      <Text size="sm" c="dimmed">
        {hint}
      </Text>
    );
  }
  return (
    <Select
      label={t('logger.recording')}
      description={hint}
      maw={420}
      allowDeselect={false}
      value={state}
      disabled={save.isPending}
      data={states.map((value) => ({ value, label: t(`logger.states.${value}`) }))}
      onChange={(value) =>
        value !== null &&
        save.mutate(
          { logger: { state: value } },
          {
            onSuccess: () => {
              toasts.show(t('app.saved'));
              done();
            },
            onError: (e) => toasts.show(e.message, 'failed'),
          },
        )
      }
    />
  );
}

function Requests({ app, logs, onOpen }: { app: App; logs: readonly Logged[]; onOpen: (id: string) => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const table = useTableState('-reqts', 'sdk,version');
  const [only] = useOnly();
  const kinds = [...new Set(logs.flatMap((r) => Object.keys(r.t)))].sort();
  const rows = logs.filter(
    (r) =>
      (only.kind === undefined || only.kind in r.t) &&
      (only.outcome === undefined || (only.outcome === 'problem' ? r.p.length > 0 : (r.c === false) === (only.outcome === 'taken'))),
  );
  const about = (r: Logged) => Object.keys(r.t).join(', ');
  const device = (r: Logged) => [r.d.d, r.d.p].filter((text) => text !== '').join(', ');
  const outcome = (r: Logged) => (r.c === false ? (r.p.length > 0 ? r.p.join(', ') : t('logger.taken')) : r.c);
  const columns: Column<Logged>[] = [
    {
      key: 'reqts',
      title: t('logger.received'),
      fixed: true,
      short: true,
      value: (r) => r.reqts,
      text: (r) => format.instant(r.reqts, app.timezone),
      cell: (r) => (
        <Anchor component="button" type="button" size="sm" onClick={() => onOpen(r._id)}>
          {format.instant(r.reqts, app.timezone)}
        </Anchor>
      ),
    },
    {
      key: 'about',
      title: t('logger.about'),
      value: about,
      text: about,
      cell: (r) => (
        <Group gap={4}>
          {Object.keys(r.t).map((kind) => (
            <Badge key={kind} variant="default" tt="none">
              {kind}
            </Badge>
          ))}
        </Group>
      ),
    },
    {
      key: 'outcome',
      title: t('logger.outcome'),
      value: outcome,
      text: outcome,
      cell: (r) => <Status kind={r.c !== false ? 'bad' : r.p.length > 0 ? 'busy' : 'good'}>{outcome(r)}</Status>,
    },
    { key: 'id', title: t('profiles.did'), value: (r) => r.d.id, text: (r) => (r.d.id === '' ? '–' : r.d.id) },
    { key: 'device', title: t('one.devices'), value: device, text: (r) => (device(r) === '' ? '–' : device(r)) },
    { key: 'sdk', title: t('one.sdks'), value: (r) => `${r.s.name} ${r.s.version}`.trim(), text: (r) => `${r.s.name} ${r.s.version}`.trim() },
    { key: 'version', title: t('one.app_versions'), value: (r) => r.v, text: (r) => (r.v === '' ? '–' : r.v) },
  ];
  return (
    <>
      <Filters>
        <FilterSelect name="kind" label={t('logger.about')} data={kinds.map((value) => ({ value, label: value }))} />
        <FilterSelect
          name="outcome"
          label={t('logger.outcome')}
          data={(['taken', 'refused', 'problem'] as const).map((value) => ({ value, label: t(`logger.${value}`) }))}
        />
      </Filters>
      <Box className="card" p="md">
        <DataTable caption={t('nav.logger')} columns={columns} rows={rows} file={`${app.name} ${t('nav.logger')}`} empty={t('logger.none')} {...table} />
      </Box>
    </>
  );
}

function RequestDetail({ app, request: r, onClose }: { app: App; request: Logged; onClose: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const parameters = parametersOf(r.q);
  const long = parameters.filter(([, value]) => value.includes('\n'));
  const or = (text: string) => (text === '' ? '–' : text);
  return (
    <Detail title={t('logger.one')} onClose={onClose}>
      <FieldList
        fields={[
          [t('logger.received'), format.instant(r.reqts, app.timezone)],
          [t('logger.said'), format.instant(r.ts, app.timezone)],
          [t('logger.outcome'), r.c === false ? t('logger.taken') : r.c],
          ...(r.p.length === 0 ? [] : [[t('logger.problem'), r.p.join(', ')] as const]),
          [t('logger.method'), r.b ? `${r.m}, ${t('logger.bulk')}` : r.m],
          [t('profiles.did'), or(r.d.id)],
          [t('one.devices'), or([r.d.d, r.d.p, r.d.pv].filter((text) => text !== '').join(', '))],
          [t('one.countries'), or([r.l.cty, r.l.cc].filter((text) => text !== '' && text !== 'Unknown').join(', '))],
          [t('one.sdks'), or(`${r.s.name} ${r.s.version}`.trim())],
        ]}
      />
      <Title order={3} size="h5">
        {t('logger.parameters')}
      </Title>
      <FieldList fields={parameters.filter(([, value]) => !value.includes('\n'))} />
      {long.map(([name, value]) => (
        <Stack key={name} gap={4}>
          <Text size="sm" fw={600}>
            {name}
          </Text>
          <CopyBlock label={name} code={value} />
        </Stack>
      ))}
      <Title order={3} size="h5">
        {t('logger.response')}
      </Title>
      <CopyBlock label={t('logger.response')} code={readable(r.res)} />
      <Title order={3} size="h5">
        {t('logger.headers')}
      </Title>
      <FieldList fields={Object.entries(r.h).sort(([a], [b]) => a.localeCompare(b))} />
      {r.d.id !== '' && (
        <Group>
          <Button variant="default" component={Link} to={`/apps/${app._id}/profiles?q=${encodeURIComponent(r.d.id)}`}>
            {t('logger.profile')}
          </Button>
        </Group>
      )}
    </Detail>
  );
}
