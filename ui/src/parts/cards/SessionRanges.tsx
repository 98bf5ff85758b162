import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Coming } from '../../components/States';
import { usePeriodText } from '../../components/time/PeriodPicker';
import { useTime } from '../../lib/useView';
import type { App } from '../../access/apps';
import { AboutFigures } from './AboutFigures';
import { ranges, type RangeKind } from './habits';
import { RangesCard } from './RangesCard';

/** How much time lies between the sessions of a user. */
export function FrequencyCard({ app }: { app: App }) {
  const { t } = useTranslation();
  const day = (n: number) => t('frequency.days', { count: n });
  const labels = [t('frequency.first'), t('frequency.hours'), ...[1, 2, 3, 4, 5, 6, 7].map(day), '8–14', '15–30', '30+'];
  return <Ranges app={app} kind="frequency" labels={labels} />;
}

/** How long sessions are. */
export function DurationsCard({ app }: { app: App }) {
  return <Ranges app={app} kind="durations" labels={['0–10 s', '11–30 s', '31–60 s', '1–3 min', '3–10 min', '10–30 min', '30–60 min', '> 1 h']} />;
}

function Ranges({ app, kind, labels }: { app: App; kind: RangeKind; labels: string[] }) {
  const { t } = useTranslation();
  const { period, span, before } = useTime(app);
  const periodName = usePeriodText()(period);
  const { data: now, dataUpdatedAt } = useQuery({ ...ranges(app, kind, period), placeholderData: keepPreviousData });
  const then = useQuery({
    ...ranges(app, kind, before === undefined ? period : { kind: 'custom', ...before }),
    enabled: before !== undefined,
  }).data;
  if (now === undefined) return <Coming height={360} />;
  return (
    <RangesCard
      app={app}
      span={span}
      title={t(`${kind}.title`)}
      hint={t(`${kind}.hint`)}
      about={periodName}
      range={t(`${kind}.range`)}
      unit={t('metric.sessions')}
      labels={labels}
      counts={now}
      before={before === undefined ? undefined : then}
      actions={<AboutFigures app={app} what={t(`${kind}.title`)} terms={[kind]} path={`/o/analytics/${kind}`} at={dataUpdatedAt} />}
    />
  );
}
