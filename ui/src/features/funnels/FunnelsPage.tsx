import { Anchor, Box, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import type { App } from '../../access/apps';
import { Answer } from '../../components/Answer';
import { ConfirmDelete } from '../../components/form/ConfirmDelete';
import { actionColumn } from '../../components/form/RowActions';
import { FunnelIcon } from '../../components/icons';
import { Page } from '../../components/Page';
import { Notice } from '../../components/States';
import type { Column } from '../../components/table/columns';
import { DataTable } from '../../components/table/DataTable';
import { useTableState } from '../../components/table/useTableState';
import { useFormat } from '../../i18n';
import { useMaking, useView } from '../../lib/useView';
import { readFilter } from '../../components/filter/filter';
import { carried, parseList } from '../../lib/view';
import { useEventNames } from '../../parts/events/useEventNames';
import { funnels, useDeleteFunnel, type Funnel } from './api';
import { draftOfEvents, newDraft, stepsOf, type Draft } from './draft';
import { FunnelForm } from './FunnelForm';
import { Sample } from './Sample';
import { Templates } from './Templates';

/** The funnels of an app, and the form for a new one. */
export function FunnelsPage({ app }: { app: App }): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const member = useQuery(me).data;
  const [view, set] = useView();
  const { nameOf } = useEventNames(app._id);
  const [isMaking, make] = useMaking();
  const [template, setTemplate] = useState<Draft>();
  const query = useQuery(funnels(app._id));
  const mayMake = member !== undefined && may(member, app._id, 'funnels', 'c');
  const leave = () => {
    set({ open: '', events: '', filter: '' });
    setTemplate(undefined);
  };
  const choose = (draft: Draft) => {
    setTemplate(draft);
    make(true);
  };
  const events = parseList(view.events);
  const asked = events.length === 0 ? undefined : draftOfEvents(events.map(nameOf).join(' → '), events, readFilter(view.filter) ?? {});
  const begun = template ?? asked;
  if (isMaking && mayMake) {
    return (
      <Page title={t('funnels.new')} above={{ to: `/apps/${app._id}/funnels`, label: t('nav.funnels') }} share={false}>
        {begun === undefined && <Templates app={app} onChoose={setTemplate} />}
        <FunnelForm
          key={begun?.name ?? ''}
          app={app}
          draft={begun ?? newDraft()}
          id={undefined}
          onDone={(funnelId) => void navigate({ to: '/apps/$appId/funnels/$funnelId', params: { appId: app._id, funnelId }, search: carried(view) })}
          onCancel={leave}
        />
      </Page>
    );
  }
  const button = mayMake && <Button onClick={() => make(true)}>{t('funnels.add')}</Button>;
  return (
    <Page title={t('nav.funnels')} lead={t('funnels.lead')} actions={query.data?.length !== 0 && button}>
      <Answer query={query}>
        {(rows) =>
          rows.length === 0 ? (
            <>
              {mayMake && <Templates app={app} onChoose={choose} />}
              <div className="card">
                <Notice icon={<FunnelIcon />} title={t('funnels.none')} text={t('funnels.noneHint')} action={button} />
                <Sample />
              </div>
            </>
          ) : (
            <List app={app} rows={rows} />
          )
        }
      </Answer>
    </Page>
  );
}

function List({ app, rows }: { app: App; rows: readonly Funnel[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [view] = useView();
  const member = useQuery(me).data;
  const navigate = useNavigate();
  const { nameOf } = useEventNames(app._id);
  const remove = useDeleteFunnel(app._id);
  const [leaving, setLeaving] = useState<Funnel>();
  const table = useTableState('name');
  const can = (action: 'u' | 'd') => member !== undefined && may(member, app._id, 'funnels', action);
  const edit = (f: Funnel) =>
    void navigate({ to: '/apps/$appId/funnels/$funnelId', params: { appId: app._id, funnelId: f._id }, search: { ...carried(view), open: 'edit' } });
  const path = (f: Funnel) => stepsOf(f).map((step) => step.flatMap((a) => a.events).map(nameOf).join(' / ')).join(' → ');
  const columns: Column<Funnel>[] = [
    {
      key: 'name',
      title: t('funnels.name'),
      fixed: true,
      value: (f) => f.name.toLocaleLowerCase(),
      text: (f) => f.name,
      cell: (f) => (
        <Anchor size="sm" className="breakable" renderRoot={(props) => <Link {...props} to="/apps/$appId/funnels/$funnelId" params={{ appId: app._id, funnelId: f._id }} search={carried(view)} />}>
          {f.name}
        </Anchor>
      ),
    },
    { key: 'path', title: t('funnels.steps'), value: path, text: path },
    { key: 'count', title: t('funnels.count'), numeric: true, value: (f) => stepsOf(f).length, text: (f) => format.count(stepsOf(f).length) },
    { key: 'description', title: t('funnels.description'), value: (f) => f.description, text: (f) => (f.description === '' ? '–' : f.description) },
    { key: 'created', title: t('funnels.created'), short: true, value: (f) => f.created, text: (f) => format.moment(f.created, app.timezone) },
    actionColumn((f) => [
      ...(can('u') ? [{ label: t('app.edit'), name: t('app.editWhat', { what: f.name }), onClick: () => edit(f) }] : []),
      ...(can('d') ? [{ label: t('app.delete'), name: t('app.deleteWhat', { what: f.name }), danger: true, onClick: () => setLeaving(f) }] : []),
    ]),
  ];
  return (
    <Box className="card" p="md">
      <DataTable caption={t('nav.funnels')} columns={columns} rows={rows} file={`${app.name} ${t('nav.funnels')}`} {...table} />
      {leaving !== undefined && <ConfirmDelete what={leaving.name} id={leaving._id} remove={remove} done={t('funnels.deleted')} onClose={() => setLeaving(undefined)} />}
    </Box>
  );
}
