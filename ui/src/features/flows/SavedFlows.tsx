import { Anchor, Button, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import { ConfirmDelete } from '../../components/form/ConfirmDelete';
import { FormDialog } from '../../components/form/FormDialog';
import { actionColumn } from '../../components/form/RowActions';
import { Section } from '../../components/Section';
import { Failed } from '../../components/States';
import type { Column } from '../../components/table/columns';
import { DataTable } from '../../components/table/DataTable';
import { toasts } from '../../components/toasts';
import { useFormat } from '../../i18n';
import { useTime, useView } from '../../lib/useView';
import { carried } from '../../lib/view';
import { flowList, useDeleteFlow, useSaveFlow, type Flow } from './api';
import { fromFlow, periodOf, searchOf, toSent, type Draft } from './draft';
import type { Steps } from './useSteps';

/** Keeps the flow of the address under a name, for all who may read flows. */
export function SaveFlow({ app, draft, steps }: { app: App; draft: Draft; steps: Steps }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {t('flows.save')}
      </Button>
      {open && <SaveDialog app={app} draft={draft} first={wayOf(draft, steps).slice(0, 200)} onClose={() => setOpen(false)} />}
    </>
  );
}

function SaveDialog({ app, draft, first, onClose }: { app: App; draft: Draft; first: string; onClose: () => void }) {
  const { t } = useTranslation();
  const { period } = useTime(app);
  const save = useSaveFlow(app);
  const [name, setName] = useState(first);
  const submit = () =>
    save.mutate(
      { name: name.trim(), sent: toSent(draft), period },
      {
        onSuccess: () => {
          toasts.show(t('flows.saved'));
          onClose();
        },
      },
    );
  return (
    <FormDialog title={t('flows.save')} pending={save.isPending} error={save.error} ready={name.trim() !== ''} onClose={onClose} onSubmit={submit}>
      <TextInput label={t('flows.name')} value={name} onChange={(e) => setName(e.currentTarget.value)} maxLength={200} data-autofocus required />
    </FormDialog>
  );
}

/** What a flow is about, in short. */
function wayOf({ at, end, direction }: Draft, { nameOf }: Steps): string {
  const about = nameOf(at);
  if (direction === 'before') return `… → ${about}`;
  return `${direction === 'around' ? '… → ' : ''}${about} → ${end === '' ? '…' : nameOf(end)}`;
}

/** How long the parts of an address may be that hold a flow. */
const longest = 2000;

/** The flows that are kept. */
export function SavedFlows({ app, steps }: { app: App; steps: Steps }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [view] = useView();
  const member = useQuery(me).data;
  const { data, error } = useQuery(flowList(app._id));
  const remove = useDeleteFlow(app._id);
  const [leaving, setLeaving] = useState<Flow>();
  const mayDelete = member !== undefined && may(member, app._id, 'flows', 'd');
  const draft = (f: Flow) => fromFlow(f, steps.viewOf);
  const way = (f: Flow) => wayOf(draft(f), steps);
  const columns: Column<Flow>[] = [
    {
      key: 'name',
      title: t('flows.name'),
      fixed: true,
      value: (f) => f.name,
      text: (f) => f.name,
      cell: (f) => {
        const search = searchOf(draft(f));
        if (search.only.length > longest || search.events.length > longest) return <span className="breakable">{f.name}</span>;
        const time = { ...carried(view), period: periodOf(f.period, app.timezone) ?? view.period };
        return (
          <Anchor size="sm" className="breakable" renderRoot={(props) => <Link {...props} to="/apps/$appId/flows" params={{ appId: app._id }} search={{ ...time, ...search }} />}>
            {f.name}
          </Anchor>
        );
      },
    },
    { key: 'way', title: t('flows.way'), value: way, text: way },
    { key: 'created', title: t('flows.created'), short: true, value: (f) => f.created, text: (f) => format.moment(f.created, app.timezone) },
    ...(mayDelete ? [actionColumn<Flow>((f) => [{ label: t('app.delete'), name: t('app.deleteWhat', { what: f.name }), danger: true, onClick: () => setLeaving(f) }])] : []),
  ];
  if (error !== null && data === undefined) return <Failed error={error} />;
  return (
    <Section title={t('flows.list')}>
      {data === undefined || data.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('flows.noList')}
        </Text>
      ) : (
        <DataTable caption={t('flows.list')} columns={columns} rows={data} file={`${app.name} ${t('flows.list')}`} pageSize={10} />
      )}
      {leaving !== undefined && <ConfirmDelete what={leaving.name} id={leaving._id} remove={remove} done={t('flows.deleted')} onClose={() => setLeaving(undefined)} />}
    </Section>
  );
}
