import { Box, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Answer } from '../../components/Answer';
import { Page } from '../../components/Page';
import { FigureList } from '../../components/Section';
import type { Column } from '../../components/table/columns';
import { DataTable } from '../../components/table/DataTable';
import { useTableState } from '../../components/table/useTableState';
import { useFormat } from '../../i18n';
import { formatPeriod, parsePeriod, presets } from '../../lib/period';
import { useView } from '../../lib/useView';
import { myApps } from '../../access/apps';
import { WeekCard } from '../times/WeekCard';
import { dataPoints, punchCard, type Points } from './api';

const everything = 'all-apps';

interface Row extends Points {
  id: string;
  name: string;
}

/** How much each app sends, and when. */
export function DataPointsPage() {
  const { t } = useTranslation();
  const format = useFormat();
  const [view, set] = useView();
  const period = parsePeriod(view.period);
  const wire = period.kind === 'preset' ? period.preset : '30days';
  const apps = useQuery(myApps).data ?? [];
  const query = useQuery(dataPoints(wire));
  return (
    <Page
      title={t('nav.points')}
      lead={t('points.lead')}
      actions={
        <Select
          aria-label={t('period.label')}
          allowDeselect={false}
          value={wire}
          data={presets.map((value) => ({ value, label: t(`period.${value}`) }))}
          onChange={(next) => next !== null && set({ period: formatPeriod(parsePeriod(next)), page: 1 })}
        />
      }
    >
      <Answer query={query}>
        {(data) => {
          const rows = Object.entries(data)
            .filter(([id]) => id !== everything)
            .map(([id, points]): Row => ({ ...points, id, name: apps.find((a) => a._id === id)?.name ?? id }));
          const sum = (key: 'dp' | 'sessions' | 'events' | 'change') => rows.reduce((n, r) => n + r[key], 0);
          return (
            <>
              <FigureList
                figures={[
                  { name: t('points.all'), value: format.short(sum('dp')), note: t('points.more', { change: signed(sum('change'), format.count) }) },
                  { name: t('metric.sessions'), value: format.short(sum('sessions')) },
                  { name: t('nav.events'), value: format.short(sum('events')) },
                ]}
              />
              <Card period={wire} apps={rows} />
              <Apps rows={rows} />
            </>
          );
        }}
      </Answer>
    </Page>
  );
}

function signed(n: number, write: (n: number) => string): string {
  return n > 0 ? `+${write(n)}` : n < 0 ? `−${write(-n)}` : write(0);
}

function Apps({ rows }: { rows: readonly Row[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const table = useTableState('-dp', 'crash,push,cs');
  const figure = (key: keyof Points, title: string): Column<Row> => ({ key, title, numeric: true, value: (r) => r[key], text: (r) => format.count(r[key]) });
  const columns: Column<Row>[] = [
    { key: 'name', title: t('audit.app'), fixed: true, value: (r) => r.name, text: (r) => r.name },
    figure('dp', t('points.all')),
    { ...figure('change', t('points.change')), text: (r) => signed(r.change, format.count) },
    figure('sessions', t('metric.sessions')),
    figure('custom', t('points.custom')),
    figure('views', t('points.views')),
    figure('crash', t('points.crash')),
    figure('push', t('points.push')),
    figure('cs', t('points.consent')),
  ];
  return (
    <Box className="card" p="md">
      <DataTable caption={t('points.byApp')} columns={columns} rows={rows} file={t('nav.points')} {...table} />
    </Box>
  );
}

/** Data points by hour and weekday. */
function Card({ period, apps }: { period: string; apps: readonly Row[] }) {
  const { t } = useTranslation();
  const [view, set] = useView();
  const app = apps.some((a) => a.id === view.segment) ? view.segment : '';
  return (
    <Answer query={useQuery(punchCard(period, app))}>
      {(counts) => (
        <WeekCard
          title={t('points.card')}
          about={app === '' ? t('filters.all') : (apps.find((a) => a.id === app)?.name ?? '')}
          name={t('points.all')}
          counts={counts}
          file={`${t('nav.points')} ${period}`}
          actions={
            <Select
              size="xs"
              aria-label={t('audit.app')}
              allowDeselect={false}
              value={app}
              data={[{ value: '', label: t('tokens.allApps') }, ...apps.map((a) => ({ value: a.id, label: a.name }))]}
              onChange={(next) => set({ segment: next ?? '' })}
            />
          }
        />
      )}
    </Answer>
  );
}
