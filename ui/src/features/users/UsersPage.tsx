import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { TimePage } from '../../components/Page';
import { Coming } from '../../components/States';
import { useFiltered, useView } from '../../lib/useView';
import type { App } from '../../access/apps';
import { FilterBar, noEvents } from '../../parts/filters/filtered';
import { AboutFigures } from '../../parts/cards/AboutFigures';
import { loyalty, type Loyalty } from '../../parts/cards/habits';
import type { Metric } from '../../parts/figures/figures';
import { RangesCard } from '../../parts/cards/RangesCard';
import { FrequencyCard } from '../../parts/cards/SessionRanges';
import { TrendPart } from '../../parts/cards/TrendPart';

const shown: readonly [Metric, ...Metric[]] = ['users', 'newUsers', 'returning'];

/** Who comes, how often and how loyally. */
export function UsersPage({ app: whole }: { app: App }) {
  const app = useFiltered(whole);
  const { t } = useTranslation();
  return (
    <TimePage app={app} title={t('nav.users')}>
      <FilterBar app={app} events={noEvents} />
      <TrendPart app={app} of={shown} />
      <LoyaltyCard app={whole} filtered={app.filter !== undefined} />
      <FrequencyCard app={app} />
    </TimePage>
  );
}

const labels = ['1', '2', '3–5', '6–9', '10–19', '20–49', '50–99', '100–499', '500+'];
const windows = ['all', '30days', '7days'] as const satisfies readonly (keyof Loyalty)[];

/** Users by their number of sessions; profiles tell it, so it has windows of its own. */
function LoyaltyCard({ app, filtered }: { app: App; filtered: boolean }) {
  const { t } = useTranslation();
  const [view, set] = useView();
  const which = windows.find((w) => w === view.tab) ?? 'all';
  const { data, dataUpdatedAt } = useQuery(loyalty(app));
  if (data === undefined) return <Coming height={360} />;
  const counts = new Map(data[which].map((r) => [r.index, r.count]));
  return (
    <RangesCard
      app={app}
      title={t('loyalty.title')}
      hint={!filtered ? t('loyalty.hint') : `${t('loyalty.hint')} ${t('metric.unfiltered')}`}
      about={t(`loyalty.${which}`)}
      range={t('loyalty.range')}
      unit={t('metric.users')}
      labels={labels}
      counts={counts}
      actions={
        <>
          <SegmentedControl
            size="xs"
            aria-label={t('loyalty.window')}
            value={which}
            onChange={(w) => set({ tab: w === 'all' ? '' : w })}
            data={windows.map((value) => ({ value, label: t(`loyalty.${value}`) }))}
          />
          <AboutFigures app={app} what={t('loyalty.title')} terms={['loyalty']} path="/o/app_users/loyalty" always at={dataUpdatedAt} />
        </>
      }
    />
  );
}
