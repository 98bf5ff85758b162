import { useTranslation } from 'react-i18next';
import { TimePage } from '../../components/Page';
import { useFiltered } from '../../lib/useView';
import type { App } from '../../access/apps';
import { FilterBar, noEvents } from '../../parts/filters/filtered';
import type { Metric } from '../../parts/figures/figures';
import { DurationsCard } from '../../parts/cards/SessionRanges';
import { TrendPart } from '../../parts/cards/TrendPart';

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
