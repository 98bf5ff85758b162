import { ActionIcon, Box, Button, Group, SegmentedControl, Stack, Text, Title, Tooltip, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Chart } from '../../components/Chart';
import { DataTable, type Column } from '../../components/DataTable';
import { DownloadIcon } from '../../components/icons';
import { PeriodPicker, usePeriodText } from '../../components/PeriodPicker';
import { Failed, Loading, Notice } from '../../components/States';
import { useFormat } from '../../i18n';
import { csv, download } from '../../lib/csv';
import { formatPeriod, parsePeriod } from '../../lib/period';
import type { App } from '../apps/api';
import { overview, type Overview } from './api';
import { figures, isContinuous, metrics, steps, valueOf, write, writeShort, type Figure, type Metric, type Step } from './figures';

const route = getRouteApi('/apps/$appId');

/** Sessions, users and time of an app, with one trend. */
export function OverviewPage({ app }: { app: App }) {
  const { t } = useTranslation();
  const { period: periodText, metric, view } = route.useSearch();
  const navigate = route.useNavigate();
  const period = useMemo(() => parsePeriod(periodText), [periodText]);
  const query = useQuery(overview(app._id, app.timezone, period));

  const set = (change: { period?: string; metric?: Metric; view?: View }) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });

  return (
    <Stack gap="md">
      <Group justify="space-between" gap="sm">
        <Title order={1} size="h2">
          {t('overview.title')}
        </Title>
        <Group gap="sm">
          <Text size="sm" c="dimmed" title={t('app.zone')}>
            <span className="visually-hidden">{`${t('app.zone')}: `}</span>
            {app.timezone}
          </Text>
          <PeriodPicker value={period} zone={app.timezone} onChange={(p) => set({ period: formatPeriod(p) })} />
        </Group>
      </Group>
      {query.isPending ? (
        <Loading />
      ) : query.data === undefined ? (
        <Failed error={query.error} retry={() => void query.refetch()} />
      ) : (
        <Content app={app} data={query.data} metric={metric} view={view} periodText={formatPeriod(period)} set={set} />
      )}
    </Stack>
  );
}

export const views = ['chart', 'table'] as const;
export type View = (typeof views)[number];

interface ContentProps {
  app: App;
  data: Overview;
  metric: Metric;
  view: View;
  periodText: string;
  set: (change: { metric?: Metric; view?: View }) => void;
}

function Content({ app, data, metric, view, periodText, set }: ContentProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const all = useMemo(() => figures(data, format), [data, format]);
  const empty = data.rows.every((r) => r.t === 0 && r.u === 0);
  return (
    <>
      <div className="figures" role="group" aria-label={t('overview.metrics')}>
        {all.map((f) => (
          <FigureCard key={f.metric} figure={f} active={f.metric === metric} onChoose={() => set({ metric: f.metric })} />
        ))}
      </div>
      <Box className="card" p="md" component="section" aria-label={t('overview.trend', { metric: t(`metric.${metric}`) })}>
        {empty ? (
          <Notice
            title={t('overview.empty')}
            text={t('overview.emptyHint')}
            action={
              <Button component={Link} to={`/apps/${app._id}/settings`} variant="light">
                {t('overview.connect')}
              </Button>
            }
          />
        ) : (
          <Trend app={app} data={data} metric={metric} view={view} periodText={periodText} set={set} />
        )}
      </Box>
    </>
  );
}

function FigureCard({ figure, active, onChoose }: { figure: Figure; active: boolean; onChoose: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { metric, value, change } = figure;
  return (
    <UnstyledButton className="card figure" aria-pressed={active} onClick={onChoose}>
      <Text size="sm" c="dimmed" component="span" display="block">
        {t(`metric.${metric}`)}
      </Text>
      <span className="figure-value" title={write(metric, value, format)}>
        {writeShort(metric, value, format)}
      </span>
      <Text size="sm" component="span" display="block" className="figure-change" data-trend={change?.trend}>
        {change === undefined ? (
          t('overview.noChange')
        ) : (
          <>
            <span aria-hidden>{change.text}</span>
            <span className="visually-hidden">{t('overview.change', { change: change.text })}</span>
          </>
        )}
      </Text>
    </UnstyledButton>
  );
}

function Trend({ app, data, metric, view, periodText, set }: ContentProps) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const named = useMemo(() => steps(data.rows, i18n.language), [data.rows, i18n.language]);
  const drawn = useMemo(
    () => named.map(({ row, label, tick }) => ({ label, tick, value: valueOf(metric, row) })),
    [named, metric],
  );
  const formatValue = useMemo(() => (value: number) => write(metric, value, format), [metric, format]);
  const formatTick = useMemo(() => (value: number) => writeShort(metric, value, format), [metric, format]);
  const periodName = usePeriodText()(parsePeriod(periodText));
  const columns = useMemo<Column<Step>[]>(
    () => [
      { key: 'date', title: t('overview.date'), value: (s) => data.rows.indexOf(s.row), text: (s) => s.label },
      ...metrics.map((m) => ({
        key: m,
        title: t(`metric.${m}`),
        numeric: true,
        value: (s: Step) => valueOf(m, s.row),
        text: (s: Step) => write(m, valueOf(m, s.row), format),
      })),
    ],
    [t, format, data.rows],
  );
  const title = t('overview.trend', { metric: t(`metric.${metric}`) });
  const save = () =>
    download(
      `${app.name} ${periodText}.csv`,
      csv([columns.map((c) => c.title), ...named.map((s) => [s.row._id, ...metrics.map((m) => valueOf(m, s.row))])]),
    );

  return (
    <>
      <Group justify="space-between" mb="sm" gap="sm">
        <Title order={2} size="h4">
          {title}
        </Title>
        <Group gap="xs" className="no-print">
          <SegmentedControl
            size="xs"
            aria-label={t('overview.view')}
            value={view}
            onChange={(v) => set({ view: v })}
            data={views.map((value) => ({ value, label: t(`overview.${value}`) }))}
          />
          <Tooltip label={t('overview.download')} withArrow>
            <ActionIcon variant="default" size={30} aria-label={t('overview.download')} onClick={save}>
              <DownloadIcon size={18} />
            </ActionIcon>
          </Tooltip>
        </Group>
      </Group>
      {view === 'chart' ? (
        <Chart
          label={`${title}, ${periodName}`}
          name={t(`metric.${metric}`)}
          steps={drawn}
          format={formatValue}
          formatTick={formatTick}
          continuous={isContinuous(metric)}
        />
      ) : (
        <DataTable caption={`${title}, ${periodName}`} columns={columns} rows={named} />
      )}
    </>
  );
}
