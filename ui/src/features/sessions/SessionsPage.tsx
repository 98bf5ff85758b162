import { useTranslation } from 'react-i18next';
import { TimePage } from '../../components/Page';
import { useFiltered } from '../../lib/useView';
import type { App } from '../../access/apps';
import { FilterBar, noEvents } from '../explore/filtered';
import type { Metric } from '../overview/figures';
import { DurationsCard } from '../overview/SessionRanges';
import { TrendPart } from '../overview/TrendPart';

const shown: readonly [Metric, ...Metric[]] = ['sessions', 'time', 'averageTime'];

/** How many sessions there are and how long they last. */
export function SessionsPage({ app: whole }: { app: App }) {
  const app = useFiltered(whole);
  const { t } = useTranslation();
  return (
    <TimePage app={app} title={t('nav.sessions')}>
      <FilterBar app={app} events={noEvents} />
      <TrendPart app={app} of={shown} />
      <DurationsCard app={app} />
    </TimePage>
  );
}
