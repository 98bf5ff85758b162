import { Box, Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Answer } from '../../components/Answer';
import { Page } from '../../components/Page';
import { Section } from '../../components/Section';
import { Status } from '../../components/Status';
import type { Column } from '../../components/table/columns';
import { DataTable } from '../../components/table/DataTable';
import { useFormat } from '../../i18n';
import { useModules } from '../../access/useModules';
import { about } from '../about/api';
import { GeoDatabase } from '../places/GeoDatabase';
import { HistoryCard } from './HistoryCard';
import { history, machine, services, type Machine, type Part, type Parts, type Service } from './api';

/** From which usage on a part is tight, in percent. */
const tight = 90;

/** How the machine and the stores are. */
export function HealthPage() {
  const { t } = useTranslation();
  const query = useQuery(machine);
  const version = useQuery(about).data;
  return (
    <Page
      title={t('nav.health')}
      lead={query.data && [`${query.data.id} (${query.data.platform})`, ...(version === undefined ? [] : [`Quipu ${version.version}`])].join(' · ')}
    >
      <Answer query={query}>{(data) => <Content data={data} />}</Answer>
    </Page>
  );
}

function Content({ data }: { data: Machine }) {
  const { t } = useTranslation();
  const format = useFormat();
  const size = (parts: Parts) => {
    const first = parts.details[0];
    return first === undefined ? '' : t('health.of', { used: format.bytes(first.used), total: format.bytes(first.total) });
  };
  const stored = data.database.details.reduce((sum, d) => sum + d.used, 0);
  const past = useQuery(history).data;
  const modules = useModules();
  const gauges = [
    { id: 'cpu', usage: data.cpu.overall.usage, note: t('health.processors', { count: data.cpu.details.length }) },
    { id: 'memory', usage: data.memory.overall.usage, note: size(data.memory) },
    { id: 'disk', usage: data.disks.overall.usage, note: size(data.disks) },
    ...(past === undefined ? [] : [{ id: 'serverMemory' as const, usage: (100 * past.memory.resident) / past.memory.limit, note: t('health.of', { used: format.bytes(past.memory.resident), total: format.bytes(past.memory.limit) }) }]),
  ] as const;
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="md">
        {gauges.map(({ id, usage, note }) => (
          <Box key={id} className="card" p="md" component="section" aria-label={t(`health.${id}`)}>
            <Text size="sm" c="dimmed">
              {t(`health.${id}`)}
            </Text>
            <div className="figure-value">{format.percent(usage / 100)}</div>
            <Progress my={6} value={usage} color={usage >= tight ? 'red' : 'indigo'} aria-label={t(`health.${id}`)} />
            <Text size="sm" c="dimmed">
              {note}
            </Text>
          </Box>
        ))}
      </SimpleGrid>
      {past !== undefined && (
        <>
          <Text size="sm" c="dimmed">
            {`${t('health.cap', { size: format.bytes(past.memory.limit) })}. ${t('health.capHint')}`}
          </Text>
          <HistoryCard history={past} file={t('nav.health')} />
        </>
      )}
      <Backlog />
      {modules?.includes('geo') !== false && <GeoDatabase />}
      <Section title={t('health.stores')} lead={t('health.storesHint', { size: format.bytes(stored) })}>
        <Sizes caption={t('health.stores')} parts={data.database.details} />
      </Section>
      <Section title={t('health.rest')}>
        <Sizes caption={t('health.rest')} parts={[...data.disks.details, ...data.memory.details]} full />
      </Section>
    </>
  );
}

/** Whether what was received is counted, or waits. */
function Backlog() {
  const { t } = useTranslation();
  const format = useFormat();
  const query = useQuery(services);
  const nameOf = (s: Service) => t(`health.services.${s.service as 'ingestion'}`, { defaultValue: s.service });
  return (
    <Section title={t('health.backlog')} lead={t('health.backlogHint')}>
      <Answer query={query}>
        {(list) => (
          <Stack gap="xs">
            {list.map((s) => (
              <Status key={s.service} kind={s.status === 'ok' ? (s.lag > 0 ? 'busy' : 'good') : 'bad'}>
                {`${nameOf(s)}: ${s.status === 'ok' ? t('health.ok') : t('health.down')}`}
                {s.lag > 0 && ` · ${t('health.waiting', { count: s.lag, number: format.count(s.lag) })}`}
              </Status>
            ))}
          </Stack>
        )}
      </Answer>
    </Section>
  );
}

function Sizes({ caption, parts, full = false }: { caption: string; parts: readonly Part[]; full?: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const nameOf = (p: Part) => t(`health.parts.${p.id as 'documents'}`, { defaultValue: p.id });
  const columns: Column<Part>[] = [
    { key: 'id', title: t('health.part'), fixed: true, value: nameOf, text: nameOf },
    { key: 'used', title: t('health.used'), numeric: true, value: (p) => p.used, text: (p) => format.bytes(p.used) },
    ...(full
      ? ([
          { key: 'free', title: t('health.free'), numeric: true, value: (p) => p.free, text: (p) => format.bytes(p.free) },
          { key: 'total', title: t('health.total'), numeric: true, value: (p) => p.total, text: (p) => format.bytes(p.total) },
        ] satisfies Column<Part>[])
      : []),
    { key: 'usage', title: t('health.usage'), numeric: true, value: (p) => p.usage, text: (p) => format.percent(p.usage / 100) },
  ];
  return <DataTable caption={caption} columns={columns} rows={parts} file={caption} />;
}
