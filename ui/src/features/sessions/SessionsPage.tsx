import { useTranslation } from 'react-i18next';
import { TimePage } from '../../components/Page';
import type { App } from '../../access/apps';
import type { Metric } from '../overview/figures';
import { DurationsCard } from '../overview/SessionRanges';
import { TrendPart } from '../overview/TrendPart';

const shown: readonly [Metric, ...Metric[]] = ['sessions', 'time', 'averageTime'];

/** How many sessions there are and how long they last. */
export function SessionsPage({ app }: { app: App }) {
  const { t } = useTranslation();
  return (
    <TimePage app={app} title={t('nav.sessions')}>
      <TrendPart app={app} of={shown} />
      <DurationsCard app={app} />
    </TimePage>
  );
}
