import { Group, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { Definition } from '../../components/Definition';
import { FigureList } from '../../components/Section';
import { Coming, Failed } from '../../components/States';
import { usePeriodText } from '../../components/time/PeriodPicker';
import { useFormat } from '../../i18n';
import { useTime } from '../../lib/useView';
import { appSums, sumsParams } from './api';

/** All apps as one: what they come to together, and how many people that is. */
export function Together({ app, apps }: { app: App; apps: readonly App[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { period, span, before } = useTime(app);
  const periodName = usePeriodText()(period);
  const { data, error, refetch } = useQuery({ ...appSums(app, period, apps), placeholderData: keepPreviousData });
  const then = useQuery({ ...appSums(app, before === undefined ? period : { kind: 'custom', ...before }, apps), enabled: before !== undefined, placeholderData: keepPreviousData }).data;
  if (error !== null && data === undefined) return <Failed error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Coming height={120} />;
  const { total } = data;
  const was = before === undefined ? undefined : then?.total;
  const note = (text: string | undefined) => (text === undefined ? {} : { note: t('overview.from', { before: text }) });
  const free = (of: typeof total) => (of.crash_free === null || of.users === 0 ? '–' : format.percent(of.crash_free / of.users));
  const figures = [
    { name: t('metric.sessions'), value: format.count(total.sessions), ...note(was && format.count(was.sessions)) },
    {
      name: t('compare.people'),
      value: format.count(total.users),
      note: was === undefined ? t('compare.shared', { count: total.shared, number: format.count(total.shared) }) : t('overview.from', { before: format.count(was.users) }),
    },
    { name: t('metric.newUsers'), value: format.count(total.new), ...note(was && format.count(was.new)) },
    { name: t('nav.events'), value: format.count(total.events), ...note(was && format.count(was.events)) },
    ...(total.crash_free === null ? [] : [{ name: t('compare.crashFree'), value: free(total), ...note(was && free(was)) }]),
  ];
  const title = t('compare.together');
  return (
    <section aria-label={title}>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5">
          {title}
        </Title>
        <Definition
          what={title}
          path="/o/compare/sums"
          params={sumsParams(app, period, apps)}
          fields={[
            [t('compare.people'), t('compare.def.people')],
            [t('compare.crashFree'), t('compare.def.crashFree')],
            [t('nav.events'), t('compare.def.events')],
            [t('retention.def.period'), `${periodName} (${format.days(span.from, span.to)})`],
            [t('retention.def.exact'), t('compare.def.exact')],
          ]}
        />
      </Group>
      <FigureList figures={figures} />
      {data.more > 0 && (
        <Text size="sm" c="dimmed">
          {t('compare.most', { count: apps.length })}
        </Text>
      )}
    </section>
  );
}
