import { Badge, Box, Button, Group } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { write } from '../../api/client';
import { Answer } from '../../components/Answer';
import { actionColumn } from '../../components/form/RowActions';
import { Section } from '../../components/Section';
import { ErrorNote } from '../../components/ErrorNote';
import type { Column } from '../../components/table/columns';
import { DataTable } from '../../components/table/DataTable';
import { useTableState } from '../../components/table/useTableState';
import { toasts } from '../../components/toasts';
import { useFormat } from '../../i18n';
import { agentOf } from '../../lib/agent';
import { sessions, type OpenSession } from './api';

/** Where one is signed in, and how to end that. */
export function Sessions() {
  const { t } = useTranslation();
  const format = useFormat();
  const queries = useQueryClient();
  const query = useQuery(sessions);
  const table = useTableState('-seen');
  const end = useMutation({
    mutationFn: (which: { session_id: string } | { others: true }) => write('/i/users/sessions/end', which),
    onSuccess: () => queries.invalidateQueries({ queryKey: sessions.queryKey }),
  });
  const time = (seconds: number) => format.moment(seconds * 1000);
  const name = (s: OpenSession) => agentOf(s.agent) ?? (s.agent === '' ? '–' : s.agent);
  const columns: Column<OpenSession>[] = [
    {
      key: 'agent',
      title: t('sessions.where'),
      fixed: true,
      value: name,
      text: name,
      cell: (s) => (
        <Group gap="xs">
          {name(s)}
          {s.current && <Badge variant="default">{t('sessions.current')}</Badge>}
        </Group>
      ),
    },
    { key: 'addr', title: t('audit.ip'), value: (s) => s.addr, text: (s) => (s.addr === '' ? '–' : s.addr) },
    { key: 'seen', title: t('sessions.seen'), short: true, value: (s) => s.seen, text: (s) => time(s.seen) },
    { key: 'created', title: t('sessions.since'), short: true, value: (s) => s.created, text: (s) => time(s.created) },
    actionColumn((s) =>
      s.current
        ? []
        : [
            {
              label: t('sessions.end'),
              name: t('sessions.endWhat', { what: name(s) }),
              danger: true,
              onClick: () => end.mutate({ session_id: s._id }, { onSuccess: () => toasts.show(t('sessions.ended')) }),
            },
          ],
    ),
  ];
  return (
    <Section
      title={t('sessions.title')}
      lead={t('sessions.lead')}
      actions={
        <Button
          variant="default"
          loading={end.isPending}
          disabled={(query.data ?? []).every((s) => s.current)}
          onClick={() => end.mutate({ others: true }, { onSuccess: () => toasts.show(t('sessions.endedOthers')) })}
        >
          {t('sessions.endOthers')}
        </Button>
      }
    >
      {end.isError && <ErrorNote error={end.error} />}
      <Answer query={query}>
        {(list) => (
          <Box>
            <DataTable caption={t('sessions.title')} columns={columns} rows={list} file={t('sessions.title')} {...table} />
          </Box>
        )}
      </Answer>
    </Section>
  );
}
