import { Box, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Answer } from '../../components/Answer';
import { ChartCard } from '../../components/chart/ChartCard';
import type { Circle, MapSpec } from '../../components/chart/spec';
import { ConfirmDelete } from '../../components/form/ConfirmDelete';
import { actionColumn } from '../../components/form/RowActions';
import { PinIcon } from '../../components/icons';
import { TimePage } from '../../components/Page';
import { Notice } from '../../components/States';
import type { Column } from '../../components/table/columns';
import { DataTable } from '../../components/table/DataTable';
import { useTableState } from '../../components/table/useTableState';
import { usePeriodText } from '../../components/time/PeriodPicker';
import { useFormat } from '../../i18n';
import { fileNamed } from '../../lib/csv';
import { useFiltered, useMaking, useTime, useView } from '../../lib/useView';
import type { App } from '../../access/apps';
import { me } from '../../access/me';
import { administers, may } from '../../access/rights';
import { FilterBar, noEvents } from '../../parts/filters/filtered';
import { useColumns } from '../../parts/metrics/columns';
import { terms } from '../../parts/metrics/definitions';
import { SizeChoice, useSize } from '../../parts/metrics/SizeChoice';
import { useValues } from '../../parts/metrics/useValues';
import { AboutFigures } from '../../parts/cards/AboutFigures';
import { placeList, type Place } from './api';
import { useDeletePlace } from './changes';
import { circleAt, circleOf, empty, rounded, type Draft } from './draft';
import { Lookup } from './Lookup';
import { PlaceForm } from './PlaceForm';

const nothing = () => undefined;

/** Circles on the map that people keep, over the countries of an app's sessions. */
export function PlacesPage({ app: whole }: { app: App }) {
  const app = useFiltered(whole);
  const { t } = useTranslation();
  const member = useQuery(me).data;
  const [isMaking, make] = useMaking();
  const [draft, setDraft] = useState<Draft>(empty);
  const [focus, setFocus] = useState<Circle>();
  const query = useQuery(placeList(app._id));
  const mayEverywhere = member?.global_admin === true;
  const mayHere = member !== undefined && administers(member, app._id);
  const mayWrite = mayHere && may(member, app._id, 'geo', 'c');
  const open = isMaking && mayWrite;
  const close = () => {
    make(false);
    setDraft(empty);
  };
  return (
    <TimePage app={app} title={t('nav.places')} lead={t('places.lead')} actions={mayWrite && !open && <Button onClick={() => make(true)}>{t('places.add')}</Button>}>
      <FilterBar app={app} events={noEvents} />
      {open && <PlaceForm appID={app._id} draft={draft} onChange={setDraft} onClose={close} mayHere={mayHere} mayEverywhere={mayEverywhere} />}
      <WorldOf
        app={app}
        places={query.data ?? []}
        focus={focus}
        draft={open ? draft : undefined}
        onPoint={open ? (lat, lng) => setDraft((was) => ({ ...was, lat: rounded(lat), lng: rounded(lng) })) : undefined}
      />
      <Answer query={query}>{(list) => <List app={app} places={list} onShow={(p) => setFocus(circleAt(p))} />}</Answer>
      <Lookup appID={app._id} onFound={(at) => setFocus({ name: '', ...at, km: 200 })} />
    </TimePage>
  );
}

interface WorldProps {
  app: App;
  places: readonly Place[];
  focus: Circle | undefined;
  draft: Draft | undefined;
  onPoint: ((lat: number, lng: number) => void) | undefined;
}

function WorldOf({ app, places, focus, draft, onPoint }: WorldProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const [view, set] = useView();
  const { period, span } = useTime(app);
  const [size, sizeName] = useSize();
  const { values, at } = useValues(app, 'countries');
  const columns = useColumns('countries', undefined, nothing);
  const spec: MapSpec = useMemo(() => {
    const drawn = draft && circleOf(draft);
    return {
      kind: 'map',
      name: sizeName,
      format: (n) => format.count(n),
      formatTick: (n) => format.short(n),
      rows: (values ?? []).map((v) => ({ code: v._id, name: v.name, value: v[size] })),
      circles: [...places.map(circleAt), ...(drawn === undefined ? [] : [drawn])],
      focus,
      onPoint,
    };
  }, [values, size, sizeName, format, places, draft, focus, onPoint]);
  return (
    <ChartCard
      title={t('places.map', { metric: sizeName })}
      about={usePeriodText()(period)}
      spec={spec}
      columns={columns}
      rows={values ?? []}
      file={fileNamed([app.name, t('nav.places')], span)}
      as={view.as}
      onAs={(as) => set({ as })}
      actions={
        <>
          <SizeChoice />
          <AboutFigures app={app} what={t('dimension.countries')} terms={terms} path="/o/analytics/metric" params={{ metric: 'countries' }} at={at} />
        </>
      }
    />
  );
}

function List({ app, places, onShow }: { app: App; places: readonly Place[]; onShow: (place: Place) => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const member = useQuery(me).data;
  const table = useTableState();
  const remove = useDeletePlace(app._id);
  const [leaving, setLeaving] = useState<Place>();
  const mayDelete = (p: Place) =>
    member !== undefined && may(member, app._id, 'geo', 'd') && (p.app === null ? member.global_admin : administers(member, app._id));
  const pointOf = ({ geo: { coordinates: [lng, lat] } }: Place) => `${rounded(lat)}, ${rounded(lng)}`;
  const columns: Column<Place>[] = [
    { key: 'title', title: t('places.title'), fixed: true, value: (p) => p.title, text: (p) => p.title },
    { key: 'radius', title: t('places.radius'), numeric: true, value: (p) => circleAt(p).km, text: (p) => `${format.count(p.radius)} ${p.unit}` },
    { key: 'point', title: t('places.point'), short: true, value: pointOf, text: pointOf },
    { key: 'address', title: t('places.address'), value: (p) => p.address, text: (p) => p.address },
    { key: 'app', title: t('places.of'), value: (p) => (p.app === null ? t('places.allApps') : app.name), text: (p) => (p.app === null ? t('places.allApps') : app.name) },
    actionColumn((p) => [
      { label: t('places.show'), name: t('places.showWhat', { what: p.title }), onClick: () => onShow(p) },
      ...(mayDelete(p) ? [{ label: t('app.delete'), name: t('app.deleteWhat', { what: p.title }), danger: true, onClick: () => setLeaving(p) }] : []),
    ]),
  ];
  if (places.length === 0) {
    return (
      <div className="card">
        <Notice icon={<PinIcon />} title={t('places.none')} text={t('places.noneHint')} />
      </div>
    );
  }
  return (
    <Box className="card" p="md">
      <DataTable caption={t('places.list')} columns={columns} rows={places} file={`${app.name} ${t('places.list')}`} {...table} />
      {leaving !== undefined && <ConfirmDelete what={leaving.title} id={leaving._id} remove={remove} done={t('places.deleted')} onClose={() => setLeaving(undefined)} />}
    </Box>
  );
}
