import { Anchor, Badge, Group, Select, Switch, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Page } from '../../components/Page';
import type { Column } from '../../components/table/columns';
import { Filters, FilterSelect } from '../../components/table/Filters';
import { ServerTable } from '../../components/table/ServerTable';
import { toasts } from '../../components/toasts';
import { useFormat } from '../../i18n';
import { useOnly, useView } from '../../lib/useView';
import { me } from '../../access/me';
import { administers } from '../../access/rights';
import type { App } from '../../access/apps';
import { messageOf } from '../../api/client';
import { useSetAppConfigs } from '../settings/api';
import { logState, outcomes, requestLog, wordsOf, type Logged } from './api';
import { Outcome } from './Outcome';
import { placeOf } from './place';
import { RequestDetail } from './RequestDetail';

/** How often new requests are asked for, in ms. */
const every = 3000;
const states = ['on', 'automatic', 'off'] as const;

/** The last requests that an app received, as its SDKs sent them. */
export function LoggerPage({ app }: { app: App }) {
  const { t } = useTranslation();
  const [live, setLive] = useState(true);
  const [view, set] = useView();
  const [only] = useOnly();
  const columns = useColumns(app, (id) => set({ open: id }));
  const log = useQuery({ ...logState(app._id), refetchInterval: live ? 5 * every : false }).data;
  const kinds = [...new Set([...(log?.kinds ?? []), ...(only.kind === undefined ? [] : [only.kind])])].sort();
  return (
    <Page
      title={t('nav.logger')}
      lead={t('logger.lead')}
      actions={<Switch label={t('logger.live')} checked={live} onChange={(e) => setLive(e.currentTarget.checked)} />}
    >
      {log !== undefined && <Recording app={app} state={log.state} />}
      <Filters>
        <FilterSelect name="kind" label={t('logger.about')} data={kinds.map((value) => ({ value, label: value }))} />
        <FilterSelect name="outcome" label={t('logger.outcome')} data={outcomes.map((value) => ({ value, label: t(`logger.${value}`) }))} />
      </Filters>
      <ServerTable
        caption={t('nav.logger')}
        list={requestLog(app._id, only)}
        columns={columns}
        order="-reqts"
        usuallyHidden="ts,sdk,version,method,country"
        file={`${app.name} ${t('nav.logger')}`}
        empty={view.only === '' ? t('logger.none') : t('logger.noneOf')}
        every={live && every}
      />
      {view.open !== '' && <RequestDetail app={app} id={view.open} onClose={() => set({ open: '' })} />}
    </Page>
  );
}

/** Whether requests are kept, and how to change that. */
function Recording({ app, state }: { app: App; state: string }) {
  const { t } = useTranslation();
  const member = useQuery(me).data;
  const queries = useQueryClient();
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
              void queries.invalidateQueries({ queryKey: logState(app._id).queryKey });
            },
            onError: (e) => toasts.show(messageOf(e), 'failed'),
          },
        )
      }
    />
  );
}

function useColumns(app: App, onOpen: (id: string) => void): Column<Logged>[] {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const about = (r: Logged) => Object.keys(r.t).sort().join(', ');
  const outcome = (r: Logged) => (r.c === false ? (r.p.length > 0 ? r.p.join(', ') : t('logger.taken')) : wordsOf(r.c));
  const plain = (key: string, title: string, read: (r: Logged) => string, more: Partial<Column<Logged>> = {}): Column<Logged> => ({
    key, title, value: read, text: (r) => (read(r) === '' ? '–' : read(r)), ...more,
  });
  return [
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
      sortable: false,
      value: about,
      text: about,
      cell: (r) => (
        <Group gap={4} miw={180}>
          {Object.keys(r.t).sort().map((kind) => (
            <Badge key={kind} variant="default" tt="none">
              {kind}
            </Badge>
          ))}
        </Group>
      ),
    },
    { key: 'outcome', title: t('logger.outcome'), value: outcome, text: outcome, cell: (r) => <Outcome of={r} /> },
    plain('id', t('profiles.did'), (r) => r.d.id),
    plain('device', t('one.devices'), (r) => [r.d.d, r.d.p].filter((text) => text !== '').join(', ')),
    { key: 'ts', title: t('logger.said'), short: true, value: (r) => r.ts, text: (r) => format.instant(r.ts, app.timezone) },
    plain('sdk', t('one.sdks'), (r) => `${r.s.name} ${r.s.version}`.trim()),
    plain('version', t('one.app_versions'), (r) => r.v),
    plain('method', t('logger.method'), (r) => r.m, { short: true }),
    plain('country', t('one.countries'), (r) => placeOf(r, i18n.language)),
  ];
}
