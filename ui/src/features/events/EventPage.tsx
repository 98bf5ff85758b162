import { Box, Button, Select, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ChangeNote } from '../../components/Change';
import { TimePage } from '../../components/Page';
import { FigureList } from '../../components/Section';
import { Failed, Loading, Notice } from '../../components/States';
import { useFormat } from '../../i18n';
import { changeIn } from '../../lib/change';
import { useFiltered, useTime, useView } from '../../lib/useView';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import type { App } from '../../access/apps';
import { FilterBar } from '../../parts/filters/filtered';
import { eventList, eventSums, type EventList, type EventSum } from '../../parts/events/api';
import { DescribeEvent } from './DescribeEvent';
import { EventTrend } from './EventTrend';
import { figuresOf, nameOfEvent, writeEvent, type EventFigure } from '../../parts/events/figures';
import { SegmentPart } from './SegmentPart';

/** One event: its figures, over time, and cut by a segment. */
export function EventPage({ app: whole }: { app: App }) {
  const app = useFiltered(whole);
  const { t } = useTranslation();
  const { key } = useParams({ from: '/apps/$appId/events/$key' });
  const [editing, setEditing] = useState(false);
  const only = useMemo(() => [key], [key]);
  const member = useQuery(me).data;
  const list = useQuery(eventList(app._id));
  const mayWrite = member !== undefined && may(member, app._id, 'events', 'u');
  if (list.data === undefined) return list.error === null ? <Loading /> : <Failed error={list.error} retry={() => void list.refetch()} />;
  if (list.data.list?.includes(key) !== true) {
    return (
      <Notice
        level={1}
        title={t('state.missing')}
        text={t('events.gone')}
        action={
          <Button component={Link} to={`/apps/${app._id}/events`} variant="light">
            {t('events.toAll')}
          </Button>
        }
      />
    );
  }
  return (
    <TimePage
      app={app}
      title={nameOfEvent(key, list.data)}
      above={{ to: `/apps/${app._id}/events`, label: t('nav.events') }}
      lead={list.data.map?.[key]?.desc}
      actions={
        mayWrite && (
          <Button variant="default" onClick={() => setEditing(true)}>
            {t('events.describe')}
          </Button>
        )
      }
    >
      <FilterBar app={app} events={only} />
      <Content app={app} eventKey={key} list={list.data} />
      {editing && <DescribeEvent app={app} eventKey={key} list={list.data} onClose={() => setEditing(false)} />}
    </TimePage>
  );
}

function Content({ app, eventKey, list }: { app: App; eventKey: string; list: EventList }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [view, set] = useView();
  const { period, before, against } = useTime(app);
  const sums = useQuery({ ...eventSums(app, period, against), placeholderData: keepPreviousData }).data;
  const none: EventSum = { _id: eventKey, c: 0, s: 0, dur: 0 };
  const of = (part: Record<string, EventSum> | undefined) => part?.[eventKey] ?? none;
  const mine = of(sums?.total);
  const noteOf = (f: EventFigure) => {
    if (sums === undefined) return {};
    const was = of(sums.before)[f];
    const change = changeIn(sums, (part) => of(part)[f], format);
    return { note: <ChangeNote change={change} against={sums} from={before === undefined ? undefined : writeEvent(f, was, format)} /> };
  };
  const keys = useMemo(() => [eventKey], [eventKey]);
  const segments = list.segments?.[eventKey] ?? [];
  const segment = segments.includes(view.segment) ? view.segment : segments[0];
  return (
    <>
      {sums !== undefined && (
        <FigureList
          figures={[
            ...figuresOf([mine]).map((f) => ({ name: t(`events.${f}`), value: writeEvent(f, mine[f], format), ...noteOf(f) })),
            { name: t('metric.users'), value: format.short(mine.u ?? 0) },
          ]}
        />
      )}
      <EventTrend app={app} keys={keys} list={list} />
      {segment === undefined ? (
        <Box className="card" p="md">
          <Text c="dimmed" size="sm">
            {t('events.noSegments')}
          </Text>
        </Box>
      ) : (
        <SegmentPart
          key={`${eventKey} ${segment}`}
          app={app}
          eventKey={eventKey}
          segment={segment}
          choice={
            <Select
              size="xs"
              aria-label={t('events.segment')}
              data={segments}
              value={segment}
              searchable
              allowDeselect={false}
              onChange={(s) => set({ segment: s ?? '', q: '', page: 1 })}
            />
          }
        />
      )}
    </>
  );
}
