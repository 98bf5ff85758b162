import { ActionIcon, Button, Group, SegmentedControl, Select, Text, Title, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { ZoomBack } from '../../components/chart/ZoomBack';
import { Conditions } from '../../components/filter/Conditions';
import { CountBy } from '../../components/filter/CountBy';
import { grouped, type Field } from '../../components/filter/field';
import { useUnits, type Units } from '../../components/filter/useUnits';
import { PickButton } from '../../components/filter/PickButton';
import { Definition } from '../../components/Definition';
import { DownloadIcon } from '../../components/icons';
import { Notice } from '../../components/States';
import { fileRows, type Column } from '../../components/table/columns';
import { DataTable } from '../../components/table/DataTable';
import { useFormat } from '../../i18n';
import { csv, dated, download, fileNamed } from '../../lib/csv';
import { useOnly, useTime, useView } from '../../lib/useView';
import { paramsOf, type Analysis, type Asked, type Part, type Single } from './api';
import { drawnGroups, nameOfPart, worst, type StepRow } from './figures';
import { FunnelPicture, type Whom } from './FunnelPicture';
import { People } from './People';
import { useDefinition } from './useDefinition';

interface Props {
  app: App;
  funnel: Single;
  asked: Asked;
  data: Analysis;
  rows: readonly StepRow[];
  names: readonly { name: string; filter: string }[];
  fields: readonly Field[];
  withPeople: boolean;
  /** Narrows the funnel to a group. */
  pickOf: (part: Part) => (() => void) | undefined;
}

/** The steps of a funnel as a picture or a table, with what they can be asked by. */
export function StepsCard({ app, funnel, asked, data, rows, names, fields, withPeople, pickOf }: Props) {
  const { t } = useTranslation();
  const [view, set] = useView();
  const { span } = useTime(app);
  const [whom, setWhom] = useState<Whom>();
  const [chosen, setNarrows] = useState<boolean>();
  const narrows = chosen ?? view.filter !== '';
  const counted = useUnits(asked.count);
  const columns = useColumns(names, funnel.options?.reentry === 'repeat', asked.count);
  const definition = useDefinition(app, funnel, fields, asked.count);
  const file = fileNamed([t('nav.funnels'), funnel.name], span);
  const groups = (data.groups ?? []).slice(0, drawnGroups).map((part) => ({
    name: nameOfPart(part, fields.find((f) => f.path === view.segment), { none: t('funnels.absent'), other: t('funnels.others') }),
    users: part.users,
    onPick: pickOf(part),
  }));
  const saveRows = () => download(`${dated(file, new Date())}.csv`, csv(fileRows(columns, rows, (title) => t('table.exact', { title }))));
  return (
    <section className="card pad" aria-label={t('funnels.steps')}>
      <div className="chart-head">
        <Title order={2} size="h4">
          {t('funnels.steps')}
        </Title>
        <Group gap="xs" className="no-print chart-choices">
          <SegmentedControl
            size="xs"
            aria-label={t('chart.showAs', { what: t('funnels.steps') })}
            value={view.as}
            onChange={(as) => set({ as })}
            data={[
              { value: 'chart', label: t('chart.chart') },
              { value: 'table', label: t('chart.table') },
            ]}
          />
        </Group>
        <Group gap="xs" wrap="nowrap" className="no-print">
          <Definition what={funnel.name} path="/o" params={paramsOf(app, funnel._id, asked)} fields={definition} />
          {view.as === 'chart' && (
            <Tooltip label={t('chart.csv')} withArrow>
              <ActionIcon variant="default" size={30} aria-label={`${t('chart.csv')}: ${t('funnels.steps')}`} onClick={saveRows}>
                <DownloadIcon size={18} />
              </ActionIcon>
            </Tooltip>
          )}
        </Group>
      </div>
      <Controls rows={rows} fields={fields} narrows={narrows} onNarrow={() => setNarrows(!narrows)} names={names.map((n) => n.name)} />
      {narrows && (
        <div className="no-print funnel-filter">
          <Text size="xs" c="dimmed" mb="xs">
            {t('funnels.filterHint')}
          </Text>
          <Conditions app={app} fields={fields} filter={asked.filter} onChange={(next) => set({ filter: Object.keys(next).length === 0 ? '' : JSON.stringify(next) })} />
        </div>
      )}
      <Summary data={data} rows={rows} names={names.map((n) => n.name)} counted={counted} />
      {data.users_in_first_step === 0 ? (
        <Notice title={t('funnels.nobody', { units: counted.units(2) })} text={t('funnels.nobodyHint')} action={<ZoomBack />} />
      ) : view.as === 'chart' ? (
        <>
          {groups.length > 0 && <Keys groups={groups} />}
          <FunnelPicture rows={rows} names={names} groups={groups} count={asked.count ?? ''} onPeople={withPeople ? setWhom : undefined} />
        </>
      ) : (
        <DataTable caption={`${t('funnels.steps')}, ${funnel.name}`} columns={columns} rows={rows} file={file} />
      )}
      {whom !== undefined && <People app={app} id={funnel._id} asked={asked} whom={whom} names={names.map((n) => n.name)} onClose={() => setWhom(undefined)} />}
    </section>
  );
}

interface ControlsProps {
  rows: readonly StepRow[];
  fields: readonly Field[];
  names: readonly string[];
  narrows: boolean;
  onNarrow: () => void;
}

/** By what users are cut, and whether a filter is open. */
function Controls({ rows, fields, names, narrows, onNarrow }: ControlsProps) {
  const { t } = useTranslation();
  const [view, set] = useView();
  const [only, choose] = useOnly();
  const unlisted = view.segment !== '' && !fields.some((f) => f.path === view.segment);
  return (
    <div className="controls no-print">
      <Select
        label={t('funnels.by')}
        placeholder={t('funnels.byNothing')}
        data={[...grouped(fields, [view.segment]), ...(unlisted ? [{ group: '', items: [{ value: view.segment, label: view.segment }] }] : [])]}
        value={view.segment === '' ? null : view.segment}
        onChange={(path) => set({ segment: path ?? '' })}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': t('filters.clearOne', { what: t('funnels.by') }) }}
        nothingFoundMessage={t('filter.noProperty')}
      />
      {view.segment !== '' && (
        <Select
          label={t('funnels.at')}
          allowDeselect={false}
          value={only.step ?? 'first'}
          data={[
            { value: 'first', label: t('funnels.atFirst') },
            { value: 'last', label: t('funnels.atLast') },
            ...rows.slice(1).map((r, i) => ({ value: String(r.no), label: `${r.no}. ${names[i + 1] ?? ''}` })),
          ]}
          onChange={(step) => choose('step', step === null || step === 'first' ? '' : step)}
        />
      )}
      <CountBy withSessions fields={fields} count={only.count ?? ''} onChange={(next) => choose('count', next)} />
      <Button variant={view.filter === '' ? 'default' : 'light'} aria-expanded={narrows} onClick={onNarrow}>
        {t('funnels.filter')}
      </Button>
    </div>
  );
}

function Keys({ groups }: { groups: readonly { name: string; onPick: (() => void) | undefined }[] }) {
  return (
    <Group gap="md" mb="sm">
      {groups.map((g, i) => (
        <Group key={g.name} gap={6}>
          <span className="legend-key" data-series={i + 1} aria-hidden />
          <span className="legend-pair">
            <PickButton name={g.name} onPick={g.onPick} />
          </span>
        </Group>
      ))}
    </Group>
  );
}

/** What the picture shows, in words. */
function Summary({ data, rows, names, counted: { units } }: { data: Analysis; rows: readonly StepRow[]; names: readonly string[]; counted: Units }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (data.users_in_first_step === 0) return null;
  const bad = worst(rows);
  return (
    <Text size="sm" my="sm">
      {t('funnels.summary', {
        count: data.success_users,
        entered: format.count(data.users_in_first_step),
        units: units(data.users_in_first_step),
        done: format.count(data.success_users),
        share: format.percent(data.success_users / data.users_in_first_step),
        steps: rows.length,
      })}
      {bad?.from !== undefined &&
        ` ${t('funnels.summaryWorst', {
          number: format.count(bad.dropped),
          units: units(bad.dropped),
          share: format.percent(bad.droppedShare),
          from: names[bad.from - 1],
          to: names[bad.no - 1],
        })}`}
      {data.conversion.count > 0 && ` ${t('funnels.summaryTime', { median: format.duration(data.conversion.median) })}`}
    </Text>
  );
}

/** The columns of the table behind the picture. */
function useColumns(names: readonly { name: string; filter: string }[], repeats: boolean, count = ''): Column<StepRow>[] {
  const { t } = useTranslation();
  const format = useFormat();
  const seconds = (key: 'median' | 'mean' | 'p90', title: string): Column<StepRow> => {
    const value = (r: StepRow) => (r.took === undefined || r.took.count === 0 ? undefined : r.took[key]);
    return { key, title, numeric: true, form: 'seconds', value: (r) => value(r) ?? 0, text: (r) => { const s = value(r); return s === undefined ? '–' : format.duration(s); } };
  };
  const { name: counted } = useUnits(count);
  const name = (r: StepRow) => `${r.no}. ${names[r.no - 1]?.name ?? ''}`;
  return [
    { key: 'step', title: t('funnels.stepColumn'), fixed: true, value: (r) => r.no, text: name },
    { key: 'users', title: count === '' ? t('metric.users') : counted, numeric: true, value: (r) => r.step.users, text: (r) => format.count(r.step.users) },
    { key: 'share', title: t('funnels.ofEntered'), numeric: true, form: 'share', value: (r) => r.share, text: (r) => format.share(r.share) },
    { key: 'dropped', title: t('funnels.droppedColumn'), numeric: true, value: (r) => r.dropped, text: (r) => format.count(r.dropped) },
    { key: 'droppedShare', title: t('funnels.droppedShare'), numeric: true, form: 'share', value: (r) => r.droppedShare, text: (r) => format.share(r.droppedShare) },
    seconds('median', t('funnels.median')),
    seconds('mean', t('funnels.mean')),
    seconds('p90', t('funnels.p90')),
    { key: 'times', title: t('funnels.times'), numeric: true, value: (r) => r.step.times, text: (r) => format.count(r.step.times) },
    ...(repeats ? [{ key: 'attempts', title: t('funnels.attempts'), numeric: true, value: (r: StepRow) => r.step.attempts, text: (r: StepRow) => format.count(r.step.attempts) }] : []),
  ];
}
