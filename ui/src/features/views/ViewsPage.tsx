import { Anchor, Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Answer } from '../../components/Answer';
import { CopyBlock } from '../../components/CopyBlock';
import { actionColumn } from '../../components/form/RowActions';
import { TimePage } from '../../components/Page';
import { Notice } from '../../components/States';
import type { Column } from '../../components/table/columns';
import { ServerTable } from '../../components/table/ServerTable';
import { usePeriodText } from '../../components/time/PeriodPicker';
import { useFormat } from '../../i18n';
import { fileNamed } from '../../lib/csv';
import { useFiltered, useTime, useView } from '../../lib/useView';
import { carried, parseList } from '../../lib/view';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import type { App } from '../../access/apps';
import { FilterBar, ofViews } from '../../parts/filters/filtered';
import { viewList, viewTotals, type ViewName, type ViewRow } from '../../parts/views/api';
import { viewNames } from '../../parts/views/manage';
import { CutFilter } from './CutFilter';
import { nameOfView, viewSnippet, writeFigure } from '../../parts/views/figures';
import { RenameView } from './RenameView';
import { useParts } from './useParts';
import { useCut } from './useCut';
import { ViewTotals } from './ViewTotals';
import { ViewTrend } from './ViewTrend';

const mostCompared = 6;

/** What people look at in an app, and several views side by side. */
export function ViewsPage({ app: whole }: { app: App }) {
  const app = useFiltered(whole);
  const { t } = useTranslation();
  const names = useQuery(viewNames(app._id));
  return (
    <TimePage app={app} title={t('nav.views')}>
      <FilterBar app={app} events={ofViews} />
      <Answer query={names}>{(list) => (list.length === 0 ? <NoViews app={app} /> : <Views app={app} list={list} />)}</Answer>
    </TimePage>
  );
}

function NoViews({ app }: { app: App }) {
  const { t } = useTranslation();
  return (
    <div className="card">
      <Notice
        title={t('views.none')}
        text={t('views.noneHint')}
        action={
          <Stack gap="md" w="100%" ta="start">
            <CopyBlock label={t('views.snippet')} code={viewSnippet} />
            <Button component={Link} to={`/apps/${app._id}/settings`} variant="light">
              {t('overview.connect')}
            </Button>
          </Stack>
        }
      />
    </div>
  );
}

function Views({ app, list }: { app: App; list: readonly ViewName[] }) {
  const { t } = useTranslation();
  const [view] = useView();
  const { period, span } = useTime(app);
  const cut = useCut();
  const periodName = usePeriodText()(period);
  const now = useQuery({ ...viewTotals(app, period, cut), placeholderData: keepPreviousData }).data;
  const compared = useParts(app, (p) => viewTotals(app, p, cut));
  const chosen = useMemo(() => parseList(view.events).flatMap((id) => list.filter((v) => v._id === id)).slice(0, mostCompared), [view.events, list]);
  const [naming, setNaming] = useState<ViewName>();
  const columns = useViewColumns(app, cut.segment !== '', chosen, setNaming);
  return (
    <>
      {now !== undefined && <ViewTotals total={now} {...compared} cut={cut.segment !== ''} />}
      <CutFilter app={app} />
      {chosen.length > 0 ? (
        <ViewTrend app={app} views={chosen} />
      ) : (
        <Text size="sm" c="dimmed" className="no-print">
          {t('views.compareHint')}
        </Text>
      )}
      <ServerTable<ViewRow>
        caption={`${t('nav.views')}, ${periodName}`}
        list={viewList(app, period, cut)}
        columns={columns}
        order="-t"
        usuallyHidden="s,e,n"
        file={fileNamed([app.name, t('nav.views')], span)}
        empty={t('views.noneInPeriod')}
      />
      {naming !== undefined && <RenameView app={app} view={naming} onClose={() => setNaming(undefined)} />}
    </>
  );
}

function useViewColumns(app: App, cut: boolean, chosen: readonly ViewName[], onName: (view: ViewName) => void): Column<ViewRow>[] {
  const { t } = useTranslation();
  const format = useFormat();
  const [view, set] = useView();
  const member = useQuery(me).data;
  const mayName = member !== undefined && may(member, app._id, 'views', 'u');
  const choose = (id: string, on: boolean) => {
    const ids = chosen.map((v) => v._id).filter((other) => other !== id);
    const next = on ? [...ids, id].slice(-mostCompared) : ids;
    set({ events: next.length === 0 ? '' : JSON.stringify(next) });
  };
  const figure = (key: 't' | 'uvalue' | 'n' | 's' | 'e' | 'br' | 'd-calc' | 'scr-calc'): Column<ViewRow> => ({
    key,
    title: t(`views.${key}`),
    numeric: true,
    value: (r) => r[key],
    text: (r) => writeFigure(key, r, format),
  });
  const named: Column<ViewRow> = {
    key: 'view',
    title: t('views.view'),
    fixed: true,
    value: nameOfView,
    text: nameOfView,
    cell: (r) => (
      <Group gap="sm" wrap="nowrap">
        <Checkbox
          size="xs"
          aria-label={t('events.choose', { event: nameOfView(r) })}
          checked={chosen.some((v) => v._id === r._id)}
          onChange={(e) => choose(r._id, e.currentTarget.checked)}
        />
        <div>
          <Anchor
            size="sm"
            className="breakable"
            miw={24}
            renderRoot={(props) => <Link {...props} to="/apps/$appId/views/$id" params={{ appId: app._id, id: r._id }} search={carried(view)} />}
          >
            {nameOfView(r)}
          </Anchor>
          {r.display !== undefined && (
            <Text size="xs" c="dimmed" className="breakable">
              {r.view}
            </Text>
          )}
        </div>
      </Group>
    ),
  };
  const all = [named, figure('t'), figure('uvalue'), figure('n'), figure('s'), ...(cut ? [] : [figure('e'), figure('br')]), figure('d-calc'), figure('scr-calc')];
  if (!mayName) return all;
  return [...all, actionColumn<ViewRow>((r) => [{ label: t('views.renameShort'), name: t('views.renameOne', { view: nameOfView(r) }), onClick: () => onName(r) }])];
}
