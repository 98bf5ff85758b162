import { Anchor, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Changes } from '../../components/Changes';
import { Detail } from '../../components/Detail';
import { Page } from '../../components/Page';
import { FieldList } from '../../components/Section';
import type { Column } from '../../components/table/columns';
import { FilterDay, Filters, FilterSelect } from '../../components/table/Filters';
import { ServerTable } from '../../components/table/ServerTable';
import { useFormat } from '../../i18n';
import { differences, writeJSON } from '../../lib/diff';
import { useOnly } from '../../lib/useView';
import { myApps, type App } from '../../access/apps';
import { actionText } from './actions';
import { auditLog, auditMeta, type Entry } from './api';
import { changedFields, fieldText } from './fields';
import { appOf, subjectOf } from './subject';

/** Who changed what on the server, and how it was before. */
export function AuditPage({ app }: { app: App }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [only] = useOnly();
  const meta = useQuery(auditMeta(app._id)).data;
  const apps = useQuery(myApps).data ?? [];
  const [open, setOpen] = useState<Entry>();
  const changed = (e: Entry) => changedFields(t, e).join(', ');
  const said = (action: string) => actionText(t, action);
  const appName = (e: Entry) => appOf(e, apps) ?? '–';
  const columns: Column<Entry>[] = [
    { key: 'ts', title: t('audit.when'), short: true, fixed: true, value: (e) => e.ts, text: (e) => format.moment(e.ts * 1000) },
    {
      key: 'a',
      title: t('audit.action'),
      fixed: true,
      value: (e) => said(e.a),
      text: (e) => [said(e.a), subjectOf(e)].filter((part) => part !== undefined).join(': '),
      cell: (e) => (
        <>
          <Anchor component="button" type="button" size="sm" ta="start" onClick={() => setOpen(e)}>
            {said(e.a)}
          </Anchor>
          {subjectOf(e) !== undefined && (
            <Text size="xs" c="dimmed" className="breakable" lineClamp={2} title={subjectOf(e)}>
              {subjectOf(e)}
            </Text>
          )}
        </>
      ),
    },
    { key: 'u', title: t('audit.member'), value: (e) => e.u, text: (e) => (e.u === '' ? '–' : e.u) },
    { key: 'app', title: t('audit.app'), value: appName, text: appName, sortable: false },
    { key: 'changed', title: t('audit.changed'), value: changed, text: changed, sortable: false, cell: (e) => <Text size="sm" lineClamp={3} title={changed(e)}>{changed(e)}</Text> },
    { key: 'ip', title: t('audit.ip'), value: (e) => e.ip, text: (e) => (e.ip === '' ? '–' : e.ip) },
  ];
  return (
    <Page title={t('nav.audit')} lead={t('audit.lead')}>
      <Filters>
        <FilterSelect name="member" label={t('audit.member')} data={(meta?.users ?? []).map((u) => ({ value: u._id, label: u.full_name }))} />
        <FilterSelect name="action" label={t('audit.action')} data={(meta?.action ?? []).map((a) => ({ value: a, label: said(a) })).sort((a, b) => a.label.localeCompare(b.label))} />
        <FilterSelect name="app" label={t('audit.app')} data={apps.map((a) => ({ value: a._id, label: a.name }))} />
        <FilterDay name="from" label={t('audit.from')} />
        <FilterDay name="to" label={t('audit.to')} />
      </Filters>
      <ServerTable caption={t('nav.audit')} list={auditLog(app._id, only)} columns={columns} order="-ts" usuallyHidden="ip" file={t('nav.audit')} empty={t('audit.none')} />
      {open !== undefined && <EntryDetail entry={open} app={appName(open)} onClose={() => setOpen(undefined)} />}
    </Page>
  );
}

function EntryDetail({ entry, app, onClose }: { entry: Entry; app: string; onClose: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { before, after, update, ...rest } = entry.i;
  const changes = differences(before, after ?? update);
  const more = differences(undefined, rest).map(({ path, after: value }) => [fieldText(t, path), writeJSON(value)] as const);
  return (
    <Detail title={actionText(t, entry.a)} onClose={onClose}>
      <FieldList
        fields={[
          [t('audit.when'), format.moment(entry.ts * 1000)],
          [t('audit.action'), actionText(t, entry.a)],
          [t('audit.member'), entry.u === '' ? '–' : entry.u],
          [t('audit.app'), app],
          [t('audit.ip'), entry.ip === '' ? '–' : entry.ip],
        ]}
      />
      {changes.length > 0 && (
        <>
          <Title order={3} size="h5">
            {t('audit.changes')}
          </Title>
          <Changes changes={changes.map((c) => ({ ...c, path: fieldText(t, c.path) }))} label={t('audit.changes')} />
        </>
      )}
      {more.length > 0 && (
        <>
          <Title order={3} size="h5">
            {t('audit.more')}
          </Title>
          <FieldList fields={more} />
        </>
      )}
      {changes.length === 0 && more.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('audit.noChanges')}
        </Text>
      )}
    </Detail>
  );
}
