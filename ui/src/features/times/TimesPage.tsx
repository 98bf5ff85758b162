import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Answer } from '../../components/Answer';
import { Page } from '../../components/Page';
import { useFiltered, useView } from '../../lib/useView';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import type { App } from '../../access/apps';
import { NoFigures } from '../../parts/empty/NoFigures';
import { FilterBar, noEvents } from '../../parts/filters/filtered';
import { eventList } from '../../parts/events/api';
import { AboutFigures } from '../../parts/cards/AboutFigures';
import { timesOfDay } from '../../parts/cards/habits';
import { WeekCard } from './WeekCard';

const sessions = '[CLY]_session';

/** When people come, by the clocks of their devices. */
export function TimesPage({ app: whole }: { app: App }) {
  const app = useFiltered(whole);
  const { t } = useTranslation();
  const [view, set] = useView();
  const what = view.segment === '' ? sessions : view.segment;
  const member = useQuery(me).data;
  const readable = member !== undefined && may(member, app._id, 'core', 'r');
  const events = useQuery({ ...eventList(app._id), enabled: readable }).data?.list ?? [];
  return (
    <Page
      zoned
      title={t('nav.times')}
      lead={t('times.lead')}
      actions={
        <Select
          aria-label={t('times.what')}
          searchable
          allowDeselect={false}
          value={what}
          data={[{ value: sessions, label: t('metric.sessions') }, ...events.map((key) => ({ value: key, label: key }))]}
          onChange={(value) => set({ segment: value === null || value === sessions ? '' : value })}
        />
      }
    >
      <FilterBar app={app} events={what === sessions ? noEvents : [what]} />
      <Times app={app} what={what} name={what === sessions ? t('metric.sessions') : what} />
    </Page>
  );
}

function Times({ app, what, name }: { app: App; what: string; name: string }) {
  const { t } = useTranslation();
  const query = useQuery(timesOfDay(app, what));
  const about = (
    <AboutFigures
      app={app}
      what={t('times.title', { what: name })}
      terms={['clock']}
      path="/o"
      params={{ method: 'times-of-day', tod_type: what }}
      events={what === sessions ? noEvents : [what]}
      always
      at={query.dataUpdatedAt}
    />
  );
  return (
    <Answer query={query}>
      {(counts) =>
        counts.flat().every((n) => n === 0) ? (
          <div className="card">
            <NoFigures app={app} title={t('times.empty')} text={t('times.emptyHint')} atFirst />
          </div>
        ) : (
          <WeekCard title={t('times.title', { what: name })} about={t('times.about')} name={name} counts={counts} actions={about} file={`${app.name} ${name} ${t('nav.times')}`} />
        )
      }
    </Answer>
  );
}
