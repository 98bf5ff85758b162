import { Box, Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Answer } from '../../components/Answer';
import { FormDialog } from '../../components/form/FormDialog';
import { actionColumn } from '../../components/form/RowActions';
import type { Column } from '../../components/table/columns';
import { DataTable } from '../../components/table/DataTable';
import { useTableState } from '../../components/table/useTableState';
import { toasts } from '../../components/toasts';
import { useFormat } from '../../i18n';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import type { App } from '../../access/apps';
import { useEventNames } from '../../parts/events/useEventNames';
import { definedEvents, partsOf, useDeleteDefined, type Defined } from '../../parts/events/defined';
import { DefinedForm } from './DefinedForm';
import { UsedBy } from './UsedBy';

/** The defined events of an app: names for several events with conditions, which hold for all of history at once. */
export function DefinedTab({ app }: { app: App }) {
  const { t } = useTranslation();
  const format = useFormat();
  const member = useQuery(me).data;
  const query = useQuery(definedEvents(app._id));
  const { nameOf } = useEventNames(app._id);
  const table = useTableState();
  const [open, setOpen] = useState<Defined | 'new'>();
  const [leaving, setLeaving] = useState<Defined>();
  const allowed = (action: 'c' | 'u' | 'd') => member !== undefined && may(member, app._id, 'defined_events', action);
  const events = (d: Defined) =>
    partsOf(d)
      .map((p) => `${p.name === undefined ? nameOf(p.event) : t('defined.withName', { event: nameOf(p.event), name: p.name })}${Object.keys(p.query).length === 0 ? '' : ` (${t('defined.withConditions')})`}`)
      .join(', ');
  const columns: Column<Defined>[] = [
    { key: 'name', title: t('defined.one'), fixed: true, value: (d) => d.name, text: (d) => d.name },
    { key: 'events', title: t('nav.events'), value: events, text: events },
    { key: 'desc', title: t('events.desc'), value: (d) => d.description, text: (d) => (d.description === '' ? '–' : d.description) },
    { key: 'changed', title: t('defined.changed'), short: true, value: (d) => d.changed, text: (d) => format.moment(d.changed) },
    actionColumn((d) => [
      ...(allowed('u') ? [{ label: t('app.edit'), name: t('app.editWhat', { what: d.name }), onClick: () => setOpen(d) }] : []),
      ...(allowed('d') ? [{ label: t('app.delete'), name: t('app.deleteWhat', { what: d.name }), danger: true, onClick: () => setLeaving(d) }] : []),
    ]),
  ];
  return (
    <Answer query={query}>
      {(list) => (
        <>
          <Text size="sm" c="dimmed" mb="md">
            {t('defined.lead')}
          </Text>
          <Box className="card" p="md">
            <DataTable
              caption={t('defined.many')}
              columns={columns}
              rows={list}
              file={`${app.name} ${t('defined.many')}`}
              empty={t('defined.none')}
              actions={
                allowed('c') && (
                  <Button size="sm" onClick={() => setOpen('new')}>
                    {t('defined.add')}
                  </Button>
                )
              }
              {...table}
            />
          </Box>
          {open !== undefined && <DefinedForm app={app} defined={open === 'new' ? undefined : open} onClose={() => setOpen(undefined)} />}
          {leaving !== undefined && <Leave app={app} defined={leaving} onClose={() => setLeaving(undefined)} />}
        </>
      )}
    </Answer>
  );
}

/** Asks before a definition is deleted, and says what uses it. */
function Leave({ app, defined, onClose }: { app: App; defined: Defined; onClose: () => void }) {
  const { t } = useTranslation();
  const remove = useDeleteDefined(app._id);
  const submit = () =>
    remove.mutate(defined._id, {
      onSuccess: () => {
        toasts.show(t('defined.deleted', { name: defined.name }));
        onClose();
      },
    });
  return (
    <FormDialog title={t('defined.delete')} button={t('app.delete')} danger pending={remove.isPending} error={remove.error} onClose={onClose} onSubmit={submit}>
      <Text className="breakable">{t('defined.deleteHint', { name: defined.name })}</Text>
      <UsedBy appID={app._id} event={defined._id} />
    </FormDialog>
  );
}
