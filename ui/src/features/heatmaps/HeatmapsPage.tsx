import { Button, Group, SegmentedControl, Select, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import { Answer } from '../../components/Answer';
import { Definition } from '../../components/Definition';
import { GoesOn } from '../../components/GoesOn';
import { TimePage } from '../../components/Page';
import { FigureList, Section } from '../../components/Section';
import { Notice } from '../../components/States';
import type { Column } from '../../components/table/columns';
import { DataTable } from '../../components/table/DataTable';
import { Filters } from '../../components/table/Filters';
import { useTableState } from '../../components/table/useTableState';
import { usePeriodText } from '../../components/time/PeriodPicker';
import { useFormat } from '../../i18n';
import { fileNamed } from '../../lib/csv';
import { useFiltered, useOnly, useTime, useView } from '../../lib/useView';
import { FilterBar, noEvents } from '../../parts/filters/filtered';
import type { ViewName } from '../../parts/views/api';
import { nameOfView } from '../../parts/views/figures';
import { viewNames } from '../../parts/views/manage';
import { devices, heatOf, heatParams, kinds, pictures, sourceOf, type Device, type Heat, type Kind, type Picture } from './api';
import { HeatPicture } from './HeatPicture';
import { reachOf, spotsOf } from './draw';
import { OnSite, PictureOfPage, UploadPicture } from './Forms';

/** Where people click on the views of an app, and how far they scroll. */
export function HeatmapsPage({ app: whole }: { app: App }) {
  const app = useFiltered(whole);
  const { t } = useTranslation();
  const names = useQuery(viewNames(app._id));
  return (
    <TimePage app={app} title={t('nav.heatmaps')} lead={t('heatmaps.lead')}>
      <FilterBar app={app} events={noEvents} />
      <Answer query={names}>{(list) => (list.length === 0 ? <NoViews app={app} /> : <OfView app={app} list={list} />)}</Answer>
    </TimePage>
  );
}

function NoViews({ app }: { app: App }) {
  const { t } = useTranslation();
  return (
    <div className="card">
      <Notice
        title={t('heatmaps.none')}
        text={t('heatmaps.noneHint')}
        action={
          <Button component={Link} to={`/apps/${app._id}/settings`} variant="light">
            {t('overview.connect')}
          </Button>
        }
      />
    </div>
  );
}

function OfView({ app, list }: { app: App; list: readonly ViewName[] }) {
  const { t } = useTranslation();
  const [only, change] = useOnly();
  const [view, set] = useView();
  const chosen = list.find((v) => v._id === only['view']) ?? list[0];
  const device = devices.find((d) => d === only['device']) ?? 'all';
  const kind = kinds.find((k) => k === view.figure) ?? 'click';
  if (chosen === undefined) return null;
  return (
    <>
      <Filters>
        <Select
          label={t('heatmaps.view')}
          searchable
          allowDeselect={false}
          data={list.map((v) => ({ value: v._id, label: nameOfView(v) }))}
          value={chosen._id}
          onChange={(id) => change('view', id ?? '')}
        />
        <Select
          label={t('heatmaps.device')}
          allowDeselect={false}
          data={devices.map((value) => ({ value, label: t(`heatmaps.devices.${value}`) }))}
          value={device}
          onChange={(value) => change('device', value === null || value === 'all' ? '' : value)}
        />
        <div className="heat-kinds">
          <Text size="sm" fw={500} aria-hidden>
            {t('heatmaps.kind')}
          </Text>
          <SegmentedControl
            aria-label={t('heatmaps.kind')}
            value={kind}
            onChange={(figure) => set({ figure })}
            data={kinds.map((value) => ({ value, label: t(`heatmaps.kinds.${value}`) }))}
          />
        </div>
      </Filters>
      <Figures key={`${chosen._id} ${device}`} app={app} view={chosen} device={device} kind={kind} />
    </>
  );
}

interface Of {
  app: App;
  view: ViewName;
  device: Device;
  kind: Kind;
}

function Figures({ app, view, device, kind }: Of) {
  const { period } = useTime(app);
  const [task, setTask] = useState<string>();
  const query = useQuery(heatOf(app, view._id, device, period, setTask));
  return (
    <>
      {task !== undefined && query.isFetching && <GoesOn task={task} />}
      <Answer query={query}>{(heat) => <Shown app={app} view={view} device={device} kind={kind} heat={heat} />}</Answer>
    </>
  );
}

function Shown({ app, view, device, kind, heat }: Of & { heat: Heat }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { period } = useTime(app);
  const [{ as }, set] = useView();
  const [form, setForm] = useState<'take' | 'upload' | 'site'>();
  const member = useQuery(me).data;
  const all = useQuery(pictures(app._id)).data ?? [];
  const mayChange = member !== undefined && may(member, app._id, 'views', 'u');
  // Without a choice of devices, the widest picture there is stands for all.
  const own = all.filter((p) => p.view === view._id && (device === 'all' || p.device === device)).sort((a, b) => b.width - a.width)[0];
  const periodName = usePeriodText()(period);
  const seconds = (ms: number) => (heat.clicked === 0 ? '–' : format.duration(ms < 10_000 ? Math.round(ms / 100) / 10 : Math.round(ms / 1000)));
  const part = (n: number) => ({ value: format.count(n), note: heat.clicks === 0 ? undefined : t('heatmaps.ofClicks', { share: format.percent(n / heat.clicks) }) });
  const params = heatParams(app, view._id, device, period);
  return (
    <>
      <FigureList
        figures={[
          { name: t('heatmaps.kinds.click'), value: format.count(heat.clicks), note: t('heatmaps.people', { n: format.count(heat.users) }) },
          { name: t('heatmaps.kinds.dead'), ...part(heat.dead) },
          { name: t('heatmaps.kinds.rage'), ...part(heat.rage) },
          { name: t('heatmaps.first'), value: seconds(heat.first_click), note: t('heatmaps.firstNote', { clicked: format.count(heat.clicked), visits: format.count(heat.visits) }) },
          { name: t('heatmaps.half'), value: heat.scrolls === 0 ? '–' : format.percent(reachOf(heat)[50] ?? 0), note: t('heatmaps.halfNote') },
        ]}
      />
      <Section
        title={t(`heatmaps.kinds.${kind}`)}
        lead={`${nameOfView(view)}, ${periodName}`}
        actions={
          <Group gap="xs">
            <Definition
              what={t('nav.heatmaps')}
              fields={[
                [t('heatmaps.kinds.click'), t('heatmaps.about.click')],
                [t('heatmaps.kinds.dead'), t('heatmaps.about.dead')],
                [t('heatmaps.kinds.rage'), t('heatmaps.about.rage')],
                [t('heatmaps.first'), t('heatmaps.about.first')],
                [t('heatmaps.kinds.scroll'), t('heatmaps.about.scroll')],
              ]}
              path="/o/heatmaps"
              params={params}
            />
            <SegmentedControl
              size="xs"
              aria-label={t('heatmaps.as')}
              value={as}
              onChange={(value) => set({ as: value === 'table' ? 'table' : 'chart' })}
              data={[
                { value: 'chart', label: t('heatmaps.picture') },
                { value: 'table', label: t('heatmaps.table') },
              ]}
            />
            {mayChange && (
              <>
                <Button size="xs" variant="default" onClick={() => setForm('take')}>
                  {t('heatmaps.take')}
                </Button>
                <Button size="xs" variant="default" onClick={() => setForm('upload')}>
                  {t('heatmaps.upload')}
                </Button>
              </>
            )}
            <Button size="xs" variant="default" onClick={() => setForm('site')}>
              {t('heatmaps.site')}
            </Button>
          </Group>
        }
      >
        {(kind === 'scroll' ? heat.scrolls : heat.clicks) === 0 && <Text c="dimmed">{t('heatmaps.nothing')}</Text>}
        {as === 'table' ? <Places app={app} heat={heat} kind={kind} /> : <Drawn app={app} view={view} heat={heat} kind={kind} picture={own} />}
      </Section>
      {form === 'take' && <PictureOfPage app={app} view={view} device={device} was={own} onClose={() => setForm(undefined)} />}
      {form === 'upload' && <UploadPicture app={app} view={view} device={device} was={own} onClose={() => setForm(undefined)} />}
      {form === 'site' && <OnSite app={app} view={view} device={device} kind={kind} was={own} params={params} onClose={() => setForm(undefined)} />}
    </>
  );
}

function Drawn({ app, view, heat, kind, picture }: { app: App; view: ViewName; heat: Heat; kind: Kind; picture: Picture | undefined }) {
  const { t } = useTranslation();
  const format = useFormat();
  const label = `${t(`heatmaps.kinds.${kind}`)}: ${nameOfView(view)}`;
  return (
    <>
      <HeatPicture heat={heat} kind={kind} label={label} source={picture && sourceOf(app._id, picture)} size={picture} />
      <Text size="xs" c="dimmed" className="breakable">
        {picture === undefined
          ? t('heatmaps.noPicture')
          : picture.address === ''
            ? t('heatmaps.uploaded', { when: format.moment(picture.at * 1000, app.timezone) })
            : t('heatmaps.taken', { address: picture.address, when: format.moment(picture.at * 1000, app.timezone) })}
      </Text>
    </>
  );
}

/** What the picture shows, as a table: the places with most clicks, or how far visits came. */
function Places({ app, heat, kind }: { app: App; heat: Heat; kind: Kind }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { span } = useTime(app);
  const table = useTableState(kind === 'scroll' ? 'depth' : '-clicks');
  const file = fileNamed([app.name, t(`heatmaps.kinds.${kind}`)], span);
  const percent = (n: number) => format.percent(n / 100);
  if (kind === 'scroll') {
    const reach = reachOf(heat);
    const rows = heat.reached.map((n, depth) => ({ depth, n, share: reach[depth] ?? 0 }));
    const columns: Column<(typeof rows)[number]>[] = [
      { key: 'depth', title: t('heatmaps.depth'), fixed: true, numeric: true, value: (r) => r.depth, text: (r) => percent(r.depth) },
      { key: 'n', title: t('heatmaps.came'), numeric: true, value: (r) => r.n, text: (r) => format.count(r.n) },
      { key: 'share', title: t('heatmaps.share'), numeric: true, value: (r) => r.share, text: (r) => format.percent(r.share) },
    ];
    return <DataTable caption={t('heatmaps.kinds.scroll')} columns={columns} rows={rows} file={file} {...table} />;
  }
  const rows = spotsOf(heat, kind);
  const columns: Column<(typeof rows)[number]>[] = [
    { key: 'x', title: t('heatmaps.x'), fixed: true, numeric: true, value: (r) => r.x, text: (r) => percent(r.x) },
    { key: 'y', title: t('heatmaps.y'), numeric: true, value: (r) => r.y, text: (r) => percent(r.y) },
    { key: 'clicks', title: t(`heatmaps.kinds.${kind}`), numeric: true, value: (r) => r.clicks, text: (r) => format.count(r.clicks) },
  ];
  return <DataTable caption={t(`heatmaps.kinds.${kind}`)} columns={columns} rows={rows} file={file} {...table} />;
}
