import { Anchor, Box, Button, Group, Text } from '@mantine/core';
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
import { PeopleIcon } from '../../components/icons';
import { SampleChart } from '../../components/chart/SampleChart';
import { Spark } from '../../components/chart/Spark';
import { Page } from '../../components/Page';
import { Notice } from '../../components/States';
import type { Column } from '../../components/table/columns';
import { DataTable } from '../../components/table/DataTable';
import { useTableState } from '../../components/table/useTableState';
import { useFormat } from '../../i18n';
import { addDays, today } from '../../lib/period';
import { useView } from '../../lib/useView';
import { carried } from '../../lib/view';
import { chartDays, cohortList, histories, lastDays, useDeleteCohort, type Cohort, type Day } from '../../parts/cohorts/api';
import { CohortForm } from './CohortForm';
import { newDraft } from './draft';
import './cohorts.css';

/** The values of open that say what is made. */
const makes = { new: 'auto', group: 'manual' } as const;

/** The cohorts and profile groups of an app, and the form for a new one. */
export function CohortsPage({ app }: { app: App }): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const member = useQuery(me).data;
  const [view, set] = useView();
  const query = useQuery(cohortList(app._id));
  const can = (feature: 'cohorts' | 'profile_groups') => member !== undefined && may(member, app._id, feature, 'c');
  const type = view.open === 'new' || view.open === 'group' ? makes[view.open] : undefined;
  if (type !== undefined && can(type === 'auto' ? 'cohorts' : 'profile_groups')) {
    return (
      <Page title={t(`cohorts.new.${type}`)} above={{ to: `/apps/${app._id}/cohorts`, label: t('nav.cohorts') }} share={false}>
        <CohortForm
          key={type}
          app={app}
          draft={newDraft(type)}
          id={undefined}
          onDone={(cohortId) => void navigate({ to: '/apps/$appId/cohorts/$cohortId', params: { appId: app._id, cohortId }, search: carried(view) })}
          onCancel={() => set({ open: '' })}
        />
      </Page>
    );
  }
  const buttons = (
    <Group gap="xs" justify="center">
      {can('profile_groups') && (
        <Button variant="default" onClick={() => set({ open: 'group' })}>
          {t('cohorts.new.manual')}
        </Button>
      )}
      {can('cohorts') && <Button onClick={() => set({ open: 'new' })}>{t('cohorts.new.auto')}</Button>}
    </Group>
  );
  return (
    <Page title={t('nav.cohorts')} lead={t('cohorts.lead')} actions={query.data?.length !== 0 && buttons}>
      <Answer query={query}>
        {(rows) =>
          rows.length === 0 ? (
            <div className="card">
              <Notice icon={<PeopleIcon />} title={t('cohorts.none')} text={t('cohorts.noneHint')} action={buttons} />
              <SampleChart label={t('nav.cohorts')} series={(['first', 'second'] as const).map((key) => ({ name: t(`cohorts.sample.${key}`), values: sample[key] }))} />
            </div>
          ) : (
            <List app={app} rows={rows} />
          )
        }
      </Answer>
    </Page>
  );
}

/** What the sizes of cohorts may look like, for an app that has none. */
const sample = {
  first: [310, 316, 322, 318, 331, 340, 344, 352, 349, 361, 368, 375],
  second: [90, 88, 93, 97, 95, 102, 99, 94, 91, 88, 86, 83],
};

function List({ app, rows }: { app: App; rows: readonly Cohort[] }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const [view] = useView();
  const member = useQuery(me).data;
  const navigate = useNavigate();
  const remove = useDeleteCohort(app._id);
  const [leaving, setLeaving] = useState<Cohort>();
  const table = useTableState('name');
  const known = useQuery(histories(app._id, rows.map((c) => c._id))).data;
  const can = (c: Cohort, action: 'c' | 'd') => member !== undefined && may(member, app._id, c.type === 'manual' ? 'profile_groups' : 'cohorts', action);
  const edit = (c: Cohort) =>
    void navigate({ to: '/apps/$appId/cohorts/$cohortId', params: { appId: app._id, cohortId: c._id }, search: { ...carried(view), open: 'edit' } });
  const columns: Column<Cohort>[] = [
    {
      key: 'name',
      title: t('cohorts.name'),
      fixed: true,
      value: (c) => c.name.toLocaleLowerCase(),
      text: (c) => c.name,
      cell: (c) => (
        <>
          <Anchor size="sm" className="breakable" renderRoot={(props) => <Link {...props} to="/apps/$appId/cohorts/$cohortId" params={{ appId: app._id, cohortId: c._id }} search={carried(view)} />}>
            {c.name}
          </Anchor>
          {c.description !== '' && (
            <Text size="xs" c="dimmed" className="clip" title={c.description}>
              {c.description}
            </Text>
          )}
        </>
      ),
    },
    { key: 'type', title: t('cohorts.type'), short: true, value: (c) => t(`cohorts.types.${c.type}`), text: (c) => t(`cohorts.types.${c.type}`) },
    { key: 'size', title: t('cohorts.size'), numeric: true, value: (c) => c.result, text: (c) => (c.state === 'calculating' ? t('cohorts.calculating') : format.count(c.result)) },
    {
      key: 'history',
      title: t('cohorts.last30'),
      value: (c) => changeOf(known?.[c._id]),
      text: (c) => format.count(changeOf(known?.[c._id])),
      cell: (c) => <Sizes days={known?.[c._id] ?? []} zone={app.timezone} />,
    },
    { key: 'visibility', title: t('cohorts.visibility'), short: true, value: (c) => t(`cohorts.visible.${c.visibility}`), text: (c) => t(`cohorts.visible.${c.visibility}`) },
    {
      key: 'calculated',
      title: t('cohorts.calculated'),
      short: true,
      value: (c) => c.last_calculated,
      text: (c) => (c.state === 'error' ? t('cohorts.failed') : c.live ? t('cohorts.live') : c.last_calculated === 0 ? '–' : format.moment(c.last_calculated, app.timezone)),
    },
    actionColumn((c) => [
      ...(can(c, 'c') ? [{ label: t('app.edit'), name: t('app.editWhat', { what: c.name }), onClick: () => edit(c) }] : []),
      ...(can(c, 'd') ? [{ label: t('app.delete'), name: t('app.deleteWhat', { what: c.name }), danger: true, onClick: () => setLeaving(c) }] : []),
    ]),
  ];
  return (
    <Box className="card" p="md">
      <DataTable caption={t('nav.cohorts')} columns={columns} rows={rows} file={`${app.name} ${t('nav.cohorts')}`} {...table} />
      {leaving !== undefined && <ConfirmDelete what={leaving.name} id={leaving._id} remove={remove} done={t('cohorts.deleted')} onClose={() => setLeaving(undefined)} />}
    </Box>
  );
}

/** By how many a cohort grew over the days of its history that are shown. */
const changeOf = (days: readonly Day[] = []) => days.slice(-chartDays).reduce((sum, d) => sum + d.entered - d.left, 0);

/** The course of a cohort's size in the small; its page has the numbers. */
function Sizes({ days, zone }: { days: readonly Day[]; zone: string }): ReactNode {
  const last = today(zone);
  return <Spark values={lastDays(days, Array.from({ length: chartDays }, (_, i) => addDays(last, i + 1 - chartDays))).map((d) => d.size)} />;
}
