import { ActionIcon, Group, SegmentedControl, Text, Title, Tooltip } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { Definition } from '../../components/Definition';
import type { Field } from '../../components/filter/field';
import { fromWire } from '../../components/filter/filter';
import { wordsOf } from '../../components/filter/words';
import { GoesOn } from '../../components/GoesOn';
import { DownloadIcon, FlowIcon } from '../../components/icons';
import { Coming, Failed, Notice } from '../../components/States';
import { fileRows, type Column } from '../../components/table/columns';
import { DataTable } from '../../components/table/DataTable';
import { usePeriodText } from '../../components/time/PeriodPicker';
import { useFormat } from '../../i18n';
import { csv, dated, download, fileNamed } from '../../lib/csv';
import { useTime, useView } from '../../lib/useView';
import { WaysOn } from '../../parts/empty/WaysOn';
import { paramsOf, paths, type Level, type Node, type Paths } from './api';
import { most, toSent, walked, walksAt, type Draft } from './draft';
import { nextOf } from './layout';
import { Sample } from './Sample';
import { Sankey, useTitle } from './Sankey';
import type { Steps } from './useSteps';

interface Props {
  app: App;
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  steps: Steps;
  fields: readonly Field[];
}

/** The paths of a flow, as a picture that can be walked or as a table. */
export function FlowCard(props: Props) {
  const { app, draft } = props;
  const { t } = useTranslation();
  const { period } = useTime(app);
  const [task, setTask] = useState<string>();
  const { data, error, isFetching, refetch } = useQuery({ ...paths(app, toSent(draft), period, setTask), placeholderData: keepPreviousData });
  const waits = task !== undefined && isFetching;
  if (error !== null && data === undefined) return <Failed error={error} retry={() => void refetch()} />;
  if (data === undefined) return waits ? <GoesOn task={task} /> : <Coming height={480} />;
  if (data.paths === 0) {
    return (
      <div className="card">
        <Notice icon={<FlowIcon size={26} />} title={t('flows.none')} text={t('flows.noneHint')} action={<WaysOn app={app} atFirst />} />
        <Sample />
      </div>
    );
  }
  return (
    <>
      {waits && <GoesOn task={task} />}
      <Card {...props} data={data} />
    </>
  );
}

function Card({ app, draft, change, steps, fields, data }: Props & { data: Paths }) {
  const { t } = useTranslation();
  const [view, set] = useView();
  const { period, span } = useTime(app);
  const split = draft.by !== '';
  const nameOf = (node: Node) => steps.nameOfNode(node, split);
  const title = `${t('nav.flows')}: ${steps.nameOf(draft.at)}`;
  const rows = rowsOf(data);
  const columns = useColumns(data, nameOf);
  const definition = useDefinition(app, draft, data, steps, fields);
  const file = fileNamed([t('nav.flows'), steps.nameOf(draft.at)], span);
  const saveRows = () => download(`${dated(file, new Date())}.csv`, csv(fileRows(columns, rows, (heading) => t('table.exact', { title: heading }))));
  return (
    <section className="card pad" aria-label={title}>
      <div className="chart-head">
        <Title order={2} size="h4" className="breakable">
          {title}
        </Title>
        <Group gap="xs" className="no-print chart-choices">
          <SegmentedControl
            size="xs"
            aria-label={t('chart.showAs', { what: title })}
            value={view.as}
            onChange={(as) => set({ as })}
            data={[
              { value: 'chart', label: t('chart.chart') },
              { value: 'table', label: t('chart.table') },
            ]}
          />
        </Group>
        <Group gap="xs" wrap="nowrap" className="no-print">
          <Definition what={title} path="/o/flows/paths" params={paramsOf(app, toSent(draft), period)} fields={definition} />
          {view.as === 'chart' && (
            <Tooltip label={t('chart.csv')} withArrow>
              <ActionIcon variant="default" size={30} aria-label={`${t('chart.csv')}: ${title}`} onClick={saveRows}>
                <DownloadIcon size={18} />
              </ActionIcon>
            </Tooltip>
          )}
        </Group>
      </div>
      <Summary draft={draft} data={data} steps={steps} nameOf={nameOf} />
      {view.as === 'chart' ? (
        <Sankey
          levels={data.levels}
          total={data.paths}
          nameOf={nameOf}
          walksAt={(step) => walksAt(draft, step)}
          onWalk={(walk, step) => change(walked(draft, walk, step))}
          onMore={draft.nodes < most.nodes ? () => change({ nodes: Math.min(most.nodes, draft.nodes + 5) }) : undefined}
        />
      ) : (
        <DataTable caption={title} columns={columns} rows={rows} file={file} />
      )}
    </section>
  );
}

/** What the picture shows, in words. */
function Summary({ draft, data, steps, nameOf }: Pick<Props, 'draft' | 'steps'> & { data: Paths; nameOf: (node: Node) => string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { direction, at, end } = draft;
  const side = (at: number) => data.levels.find((l) => l.level === at)?.nodes.find((n) => n.other !== true);
  const [next, before] = [side(1), side(-1)];
  const share = (n: number) => format.percent(n / data.paths);
  const stopped = data.levels.find((l) => l.level === 0)?.nodes.reduce((sum, n) => sum + n.ended, 0) ?? 0;
  return (
    <Text size="sm" my="sm" aria-live="polite">
      {t(`flows.summary.${direction}`, {
        paths: t('flows.paths', { count: data.paths, number: format.count(data.paths) }),
        count: data.paths,
        people: t('flows.people', { count: data.users, number: format.count(data.users) }),
        step: steps.nameOf(at),
      })}
      {end !== '' && ` ${t('flows.summary.end', { step: steps.nameOf(end) })}`}
      {next !== undefined && ` ${t('flows.summary.next', { step: nameOf(next), share: share(next.paths) })}`}
      {before !== undefined && ` ${t('flows.summary.previous', { step: nameOf(before), share: share(before.paths) })}`}
      {direction === 'after' && stopped > 0 && ` ${t('flows.summary.stopped', { share: share(stopped) })}`}
    </Text>
  );
}

/** A node with its place. */
interface Row {
  level: Level;
  column: number;
  place: number;
  node: Node;
}

function rowsOf({ levels }: Paths): Row[] {
  return levels.flatMap((level, column) => level.nodes.map((node, place) => ({ level, column, place, node })));
}

/** The columns of the table behind the picture. */
function useColumns({ paths: all, levels }: Paths, nameOf: (node: Node) => string): Column<Row>[] {
  const { t } = useTranslation();
  const format = useFormat();
  const title = useTitle();
  const share = ({ node }: Row) => node.paths / all;
  const ended = ({ node }: Row) => (node.paths === 0 ? 0 : node.ended / node.paths);
  const next = ({ column, place }: Row) => {
    const found = nextOf(levels, column, place);
    return found === undefined ? '–' : `${nameOf(found.node)} (${format.count(found.paths)})`;
  };
  return [
    { key: 'level', title: t('flows.place'), value: (r) => r.level.level, text: (r) => title(r.level.level) },
    { key: 'step', title: t('flows.step'), fixed: true, value: (r) => nameOf(r.node), text: (r) => nameOf(r.node) },
    { key: 'paths', title: t('flows.pathsColumn'), numeric: true, value: (r) => r.node.paths, text: (r) => format.count(r.node.paths) },
    { key: 'users', title: t('metric.users'), numeric: true, value: (r) => r.node.users, text: (r) => format.count(r.node.users) },
    { key: 'share', title: t('flows.shareColumn'), numeric: true, form: 'share', value: share, text: (r) => format.share(share(r)) },
    { key: 'ended', title: t('flows.endedColumn'), numeric: true, value: (r) => r.node.ended, text: (r) => format.count(r.node.ended) },
    { key: 'endedShare', title: t('flows.endedShare'), numeric: true, form: 'share', value: ended, text: (r) => format.share(ended(r)) },
    { key: 'next', title: t('flows.nextColumn'), value: next, text: next },
  ];
}

/** What the figures count. */
function useDefinition(app: App, draft: Draft, data: Paths, steps: Steps, fields: readonly Field[]): (readonly [string, string])[] {
  const { t } = useTranslation();
  const format = useFormat();
  const { period, span } = useTime(app);
  const periodName = usePeriodText()(period);
  const { kind, bound, hidden, filter, by } = draft;
  const group = fromWire(filter, (path) => fields.find((f) => f.path === path)?.kind ?? 'any');
  const words = group === undefined ? JSON.stringify(filter) : wordsOf(group, fields, t, format, app.timezone);
  return [
    [t('flows.def.counts'), t('flows.def.countsText')],
    [t('flows.kind'), t(`flows.def.${kind}`)],
    [t('flows.bound'), typeof bound === 'number' ? t('flows.bounds.window', { time: format.duration(bound) }) : t(`flows.bounds.${bound}`)],
    [t('flows.hidden'), hidden.length === 0 ? '–' : hidden.map(steps.nameOf).join(', ')],
    [t('flows.filter'), words === '' ? '–' : words],
    [t('flows.by'), by === '' ? '–' : (fields.find((f) => f.path === by)?.name ?? by)],
    [t('flows.def.period'), `${periodName} (${format.days(span.from, span.to)}), ${app.timezone}`],
    [t('flows.def.exact'), t('flows.def.exactText')],
    [t('flows.def.calculated'), format.moment(data.calculated, app.timezone)],
  ];
}
