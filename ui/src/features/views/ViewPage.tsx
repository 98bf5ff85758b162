import { Button, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Answer } from '../../components/Answer';
import { TimePage } from '../../components/Page';
import { FieldList, Section } from '../../components/Section';
import { Notice } from '../../components/States';
import { useFormat } from '../../i18n';
import { useFiltered, useTime } from '../../lib/useView';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import type { App } from '../../access/apps';
import { FilterBar, ofViews } from '../../parts/filters/filtered';
import { viewFigures, type ViewName } from '../../parts/views/api';
import { viewNames } from '../../parts/views/manage';
import { CutFilter } from './CutFilter';
import { nameOfView } from '../../parts/views/figures';
import { RenameView } from './RenameView';
import { useParts } from './useParts';
import { useCut } from './useCut';
import { ViewTotals } from './ViewTotals';
import { ViewTrend } from './ViewTrend';

/** One view: its figures, and over time. */
export function ViewPage({ app: whole }: { app: App }) {
  const app = useFiltered(whole);
  const { id } = useParams({ from: '/apps/$appId/views/$id' });
  return <Answer query={useQuery(viewNames(app._id))}>{(list) => <Named app={app} view={list.find((v) => v._id === id)} />}</Answer>;
}

function Named({ app, view }: { app: App; view: ViewName | undefined }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [naming, setNaming] = useState(false);
  const member = useQuery(me).data;
  const mayName = member !== undefined && may(member, app._id, 'views', 'u');
  if (view === undefined) {
    return (
      <Notice
        level={1}
        title={t('state.missing')}
        text={t('views.gone')}
        action={
          <Button component={Link} to={`/apps/${app._id}/views`} variant="light">
            {t('views.toAll')}
          </Button>
        }
      />
    );
  }
  return (
    <TimePage
      app={app}
      title={nameOfView(view)}
      above={{ to: `/apps/${app._id}/views`, label: t('nav.views') }}
      lead={view.display === undefined ? undefined : view.view}
      actions={
        mayName && (
          <Button variant="default" onClick={() => setNaming(true)}>
            {t('views.rename')}
          </Button>
        )
      }
    >
      <FilterBar app={app} events={ofViews} />
      <Content key={view._id} app={app} view={view} />
      {naming && <RenameView app={app} view={view} onClose={() => setNaming(false)} onGone={() => void navigate({ to: `/apps/${app._id}/views` })} />}
    </TimePage>
  );
}

function Content({ app, view }: { app: App; view: ViewName }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { period } = useTime(app);
  const cut = useCut();
  const now = useQuery({ ...viewFigures(app, view, period, cut), placeholderData: keepPreviousData });
  const compared = useParts(app, (p) => viewFigures(app, view, p, cut));
  const views = useMemo(() => [view], [view]);
  return (
    <>
      <Answer query={now}>
        {(row) =>
          row === null ? (
            <Text c="dimmed">{t('views.noneInPeriod')}</Text>
          ) : (
            <ViewTotals total={row} {...compared} cut={cut.segment !== ''} />
          )
        }
      </Answer>
      <CutFilter app={app} />
      <ViewTrend app={app} views={views} />
      {now.data !== undefined && now.data !== null && cut.segment === '' && (
        <Section title={t('views.inSessions')}>
          <FieldList
            fields={[
              [t('views.uvc'), format.count(now.data.uvc)],
              [t('views.s'), format.count(now.data.s)],
              [t('views.e'), format.count(now.data.e)],
              [t('views.b'), format.count(now.data.b)],
              ...(now.data.url === undefined ? [] : [[t('views.url'), now.data.url] as const]),
            ]}
          />
        </Section>
      )}
    </>
  );
}
