import { Anchor, Loader, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import type { App } from '../../access/apps';
import { messageOf } from '../../api/client';
import { Spark } from '../../components/chart/Spark';
import { ConfirmDelete } from '../../components/form/ConfirmDelete';
import { actionColumn } from '../../components/form/RowActions';
import { Section } from '../../components/Section';
import type { Column } from '../../components/table/columns';
import { DataTable } from '../../components/table/DataTable';
import { useTableState } from '../../components/table/useTableState';
import { usePeriodText } from '../../components/time/PeriodPicker';
import { useGranularity } from '../../components/time/GranularityChoice';
import { useFormat, useLocale } from '../../i18n';
import { useFiltered, useTime, useView } from '../../lib/useView';
import { carried } from '../../lib/view';
import { bucketOf } from '../../parts/trends/report';
import { usedBy, useDeleteFormula, values, type Asked, type Formula } from './api';
import { seenOf } from './SaveDialog';
import { shownOf, write } from './value';

/** The formulas that one kept, and those that others share, each with its figure and its course. */
export function FormulaList({ app, list }: { app: App; list: readonly Formula[] }) {
  const { t } = useTranslation();
  const [view, set] = useView();
  const filtered = useFiltered(app);
  const queries = useQueryClient();
  const member = useQuery(me).data;
  const remove = useDeleteFormula(app._id);
  const [leaving, setLeaving] = useState<Formula>();
  const table = useTableState('name');
  const { period, span } = useTime(app);
  const periodName = usePeriodText()(period);
  const bucket = bucketOf(useGranularity(span));
  const mayDelete = member !== undefined && may(member, app._id, 'formulas', 'd');
  const asked = (f: Formula): Asked => ({ formula: { id: f._id }, period, bucket });
  const known = (f: Formula) => queries.getQueryData(values(filtered, asked(f)).queryKey)?.data['single']?.['current']?.value[0];
  const seenBy = (f: Formula) => t(`seen.${seenOf(f).by}`);
  const columns: Column<Formula>[] = [
    {
      key: 'name',
      title: t('formulas.name'),
      fixed: true,
      value: (f) => f.title.toLocaleLowerCase(),
      text: (f) => f.title,
      cell: (f) => (
        <Anchor size="sm" className="breakable" renderRoot={(props) => <Link {...props} to="/apps/$appId/formulas" params={{ appId: app._id }} search={{ ...carried(view), filter: view.filter, open: f._id }} />}>
          {f.title}
        </Anchor>
      ),
    },
    { key: 'value', title: periodName, numeric: true, sortable: false, value: (f) => known(f) ?? '', text: () => '', cell: (f) => <Small app={filtered} of={f} asked={asked(f)} /> },
    { key: 'formula', title: t('formulas.formula'), clip: true, value: (f) => f.formula, text: (f) => f.formula, cell: (f) => <span className="formula-text">{f.formula}</span> },
    { key: 'description', title: t('formulas.description'), value: (f) => f.description, text: (f) => (f.description === '' ? '–' : f.description) },
    { key: 'seen', title: t('seen.label'), short: true, value: seenBy, text: seenBy },
    actionColumn((f) => [
      { label: t('app.edit'), name: t('app.editWhat', { what: f.title }), onClick: () => set({ open: f._id, figure: '', tab: '' }) },
      ...(mayDelete ? [{ label: t('app.delete'), name: t('app.deleteWhat', { what: f.title }), danger: true, onClick: () => setLeaving(f) }] : []),
    ]),
  ];
  return (
    <Section title={t('formulas.list')}>
      {list.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('formulas.none')}
        </Text>
      ) : (
        <DataTable caption={t('formulas.list')} columns={columns} rows={list} file={`${app.name} ${t('nav.formulas')}`} pageSize={10} {...table} />
      )}
      {leaving !== undefined && (
        <ConfirmDelete
          what={leaving.title}
          id={leaving._id}
          remove={remove}
          done={t('formulas.deleted')}
          onClose={() => setLeaving(undefined)}
          onDone={() => {
            setLeaving(undefined);
            if (view.open === leaving._id) set({ open: '', figure: '', tab: '' });
          }}
        >
          <UsedBy appID={app._id} id={leaving._id} />
        </ConfirmDelete>
      )}
    </Section>
  );
}

/** The value of the period, and its course in the small. */
function Small({ app, of, asked }: { app: App; of: Formula; asked: Asked }) {
  const format = useFormat();
  const locale = useLocale();
  const { data, error } = useQuery(values(app, asked));
  if (error !== null && data === undefined) return <span title={messageOf(error)}>–</span>;
  if (data === undefined) return <Loader size="xs" aria-hidden />;
  return (
    <span className="formula-course">
      <Spark values={data.data[asked.bucket]?.['current']?.value ?? []} />
      <span>{write(shownOf(of), data.data['single']?.['current']?.value[0], locale, format)}</span>
    </span>
  );
}

/** Says what computed a formula, which it will do no more. */
function UsedBy({ appID, id }: { appID: string; id: string }) {
  const { t } = useTranslation();
  const count = useQuery(usedBy(appID, id)).data;
  if (count === undefined) return null;
  return <Text size="sm">{count === 0 ? t('formulas.unused') : t('formulas.usedBy', { count })}</Text>;
}
