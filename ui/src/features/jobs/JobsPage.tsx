import { Box, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Answer } from '../../components/Answer';
import { Page } from '../../components/Page';
import { Status } from '../../components/Status';
import type { Column } from '../../components/table/columns';
import { DataTable } from '../../components/table/DataTable';
import { useTableState } from '../../components/table/useTableState';
import { useFormat } from '../../i18n';
import type { App } from '../../access/apps';
import { jobList, type Job } from './api';
import { jobText, scheduleText } from './words';

const states = ['RUNNING', 'SCHEDULED', 'WAITING'] as const;
const results = ['success', 'failure', 'none'] as const;

/** What the server does by itself: when next, and how it went last. */
export function JobsPage({ app }: { app: App }) {
  const { t } = useTranslation();
  const format = useFormat();
  const query = useQuery(jobList(app._id));
  const table = useTableState('name', 'status');
  const time = (ms: number | null) => (ms === null ? '–' : format.moment(ms));
  const state = (j: Job) => {
    const known = states.find((s) => s === j.status);
    return known === undefined ? j.status : t(`jobs.states.${known}`);
  };
  const result = (j: Job) => {
    const known = results.find((r) => r === j.result);
    return known === undefined ? j.result : t(`jobs.results.${known}`);
  };
  const name = (j: Job) => jobText(t, j.name);
  const every = (j: Job) => scheduleText(t, format, j.schedule);
  const columns: Column<Job>[] = [
    { key: 'name', title: t('jobs.name'), fixed: true, value: name, text: name, cell: (j) => <span title={j.name}>{name(j)}</span> },
    { key: 'status', title: t('jobs.state'), value: state, text: state },
    {
      key: 'result',
      title: t('jobs.result'),
      short: true,
      value: result,
      text: result,
      cell: (j) => (
        <>
          <Status kind={j.result === 'success' ? 'good' : j.result === 'failure' ? 'bad' : 'idle'}>{result(j)}</Status>
          {j.error !== undefined && (
            <Text size="xs" c="red" className="breakable">
              {j.error}
            </Text>
          )}
        </>
      ),
    },
    { key: 'finished', title: t('jobs.finished'), short: true, value: (j) => j.finished ?? 0, text: (j) => time(j.finished) },
    { key: 'next', title: t('jobs.next'), short: true, value: (j) => j.next ?? 0, text: (j) => time(j.next) },
    { key: 'schedule', title: t('jobs.schedule'), short: true, value: every, text: every },
    { key: 'total', title: t('jobs.runs'), numeric: true, value: (j) => j.total, text: (j) => format.count(j.total) },
    { key: 'failures', title: t('jobs.failures'), numeric: true, value: (j) => j.failures, text: (j) => format.count(j.failures) },
  ];
  return (
    <Page title={t('nav.jobs')} lead={t('jobs.lead')}>
      <Answer query={query}>
        {(jobs) => (
          <Box className="card" p="md">
            <DataTable caption={t('nav.jobs')} columns={columns} rows={jobs} file={t('nav.jobs')} {...table} />
          </Box>
        )}
      </Answer>
    </Page>
  );
}
