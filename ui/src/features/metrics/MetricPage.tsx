import { Tabs } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { TimePage } from '../../components/Page';
import { useFiltered, useView } from '../../lib/useView';
import type { App } from '../../access/apps';
import { FilterBar, noEvents } from '../../parts/filters/filtered';
import { tabs } from '../../parts/metrics/definitions';
import { MetricPart } from './MetricPart';

interface Props {
  app: App;
  page: keyof typeof tabs;
}

/** Sessions and users by what they have in common: one page for all dimensions. */
export function MetricPage({ app: whole, page }: Props) {
  const app = useFiltered(whole);
  const { t } = useTranslation();
  const [view, set] = useView();
  const list = tabs[page];
  const [first] = list;
  const dimension = list.find((d) => d === view.tab) ?? first;
  return (
    <TimePage app={app} title={t(`nav.${page}`)}>
      <FilterBar app={app} events={noEvents} />
      {list.length > 1 && (
        <Tabs
          value={dimension}
          onChange={(tab) => set({ tab: tab === null || tab === first ? '' : tab, q: '', sort: '', page: 1 })}
          keepMounted={false}
          variant="pills"
          className="no-print pills"
        >
          <Tabs.List aria-label={t(`nav.${page}`)}>
            {list.map((d) => (
              <Tabs.Tab key={d} value={d} aria-controls="metric-part">
                {t(`dimension.${d}`)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </Tabs>
      )}
      <div id="metric-part" className="stack">
        <MetricPart key={dimension} app={app} dimension={dimension} />
      </div>
    </TimePage>
  );
}

export const TechnologyPage = ({ app }: { app: App }) => <MetricPage app={app} page="technology" />;
export const VersionsPage = ({ app }: { app: App }) => <MetricPage app={app} page="versions" />;
export const CitiesPage = ({ app }: { app: App }) => <MetricPage app={app} page="cities" />;
export const LanguagesPage = ({ app }: { app: App }) => <MetricPage app={app} page="languages" />;
export const SourcesPage = ({ app }: { app: App }) => <MetricPage app={app} page="sources" />;
