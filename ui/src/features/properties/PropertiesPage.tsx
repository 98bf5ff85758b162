import { Anchor, Box, Select, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import type { App } from '../../access/apps';
import { useModules } from '../../access/useModules';
import { messageOf } from '../../api/client';
import { Answer } from '../../components/Answer';
import { actionColumn } from '../../components/form/RowActions';
import { TagIcon } from '../../components/icons';
import { Page } from '../../components/Page';
import { Notice } from '../../components/States';
import type { Column } from '../../components/table/columns';
import { DataTable } from '../../components/table/DataTable';
import { useTableState } from '../../components/table/useTableState';
import { toasts } from '../../components/toasts';
import { useView } from '../../lib/useView';
import { WaysOn } from '../../parts/empty/WaysOn';
import { sessionKey, useEventNames } from '../../parts/events/useEventNames';
import { labels, properties, type Properties } from '../../parts/properties/api';
import { useFields } from '../../parts/filters/fields';
import { known, useEditProperties } from './api';
import { PropertyDetail } from './PropertyDetail';
import { nameOf, rowsOf, type Row } from './rows';
import { Sample } from './Sample';

const none: readonly string[] = [];
const parts = ['all', 'event', 'user', 'hidden'] as const;

/** What is known of the properties of events and users, what people call them, and which are offered. */
export function PropertiesPage({ app }: { app: App }): ReactNode {
  const { t } = useTranslation();
  return (
    <Page title={t('nav.properties')} lead={t('properties.lead')}>
      <Answer query={useQuery(properties(app._id))}>{(found) => <List key={app._id} app={app} found={found} />}</Answer>
    </Page>
  );
}

function List({ app, found }: { app: App; found: Properties }) {
  const { t } = useTranslation();
  const [view, set] = useView();
  const member = useQuery(me).data;
  const modules = useModules();
  const drills = member !== undefined && may(member, app._id, 'drill', 'r') && modules?.includes('drill') === true;
  const mayEdit = member !== undefined && may(member, app._id, 'events', 'u');
  const said = useQuery(labels(app._id)).data;
  const meta = useQuery({ ...known(app._id, sessionKey), enabled: drills }).data;
  const people = useFields(app._id, 'people', none, member !== undefined && may(member, app._id, 'users', 'r'));
  const names = useEventNames(app._id);
  const edit = useEditProperties(app._id);
  const table = useTableState('name');
  const rows = rowsOf(found, said ?? {}, people, meta);
  const opened = rows.find((r) => r.path === view.open);
  const part = parts.find((p) => p === view.tab) ?? 'all';
  const shown = rows.filter((r) => part === 'all' || (part === 'hidden' ? r.hidden : part === 'event' ? r.of === 'event' : r.of !== 'event'));
  const events = (r: Row) => r.events.map(names.nameOf).join(', ');
  const where = (r: Row) => (r.of === 'event' ? events(r) : t(`properties.of.${r.of}`));
  const state = (r: Row) => t(r.hidden ? 'properties.hidden' : 'properties.shown');
  const hide = (r: Row) =>
    edit.mutate(
      { [r.path]: { hidden: !r.hidden } },
      { onSuccess: () => toasts.show(t(r.hidden ? 'properties.nowShown' : 'properties.nowHidden', { name: nameOf(r) })), onError: (e) => toasts.show(messageOf(e), 'failed') },
    );
  const columns: Column<Row>[] = [
    {
      key: 'name',
      title: t('properties.property'),
      fixed: true,
      value: (r) => nameOf(r).toLocaleLowerCase(),
      text: (r) => `${nameOf(r)} ${r.path}`,
      cell: (r) => (
        <>
          <Anchor component="button" type="button" size="sm" ta="start" className="breakable" onClick={() => set({ open: r.path })}>
            {nameOf(r)}
          </Anchor>
          <Text size="xs" c="dimmed" className="breakable">
            {r.path}
          </Text>
        </>
      ),
    },
    { key: 'where', title: t('properties.where'), clip: true, value: where, text: where },
    { key: 'kind', title: t('properties.type'), short: true, value: (r) => t(`properties.kind.${r.kind}`), text: (r) => t(`properties.kind.${r.kind}`) },
    { key: 'description', title: t('properties.description'), value: (r) => r.description, text: (r) => (r.description === '' ? '–' : r.description) },
    { key: 'state', title: t('properties.visibility'), short: true, value: state, text: state },
    ...(mayEdit ? [actionColumn<Row>((r) => [{ label: t(r.hidden ? 'properties.show' : 'properties.hide'), name: t(r.hidden ? 'properties.showWhat' : 'properties.hideWhat', { what: nameOf(r) }), onClick: () => hide(r) }])] : []),
  ];
  if (found.events.every((e) => e.properties.length === 0) && found.custom.length === 0 && rows.every((r) => r.of === 'user')) {
    return (
      <div className="card">
        <Notice icon={<TagIcon size={26} />} title={t('properties.none')} text={t('properties.noneHint')} action={<WaysOn app={app} />} />
        <Sample />
      </div>
    );
  }
  return (
    <Box className="card" p="md">
      <DataTable
        caption={t('nav.properties')}
        columns={columns}
        rows={shown}
        file={`${app.name} ${t('nav.properties')}`}
        empty={t('properties.noHidden')}
        actions={
          <Select
            w={{ base: '100%', xs: 170 }}
            aria-label={t('properties.part')}
            allowDeselect={false}
            value={part}
            onChange={(next) => set({ tab: next === null || next === 'all' ? '' : next, page: 1 })}
            data={parts.map((value) => ({ value, label: t(`properties.parts.${value}`) }))}
          />
        }
        {...table}
      />
      {opened !== undefined && <PropertyDetail key={opened.path} app={app} row={opened} names={names} drills={drills} mayEdit={mayEdit} edit={edit} onClose={() => set({ open: '' })} />}
    </Box>
  );
}
