import { Badge, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Section } from '../../components/Section';
import { Failed, Loading } from '../../components/States';
import { useFormat } from '../../i18n';
import { isTelling, viewKey } from '../../lib/segments';
import type { App } from '../../access/apps';
import { eventList } from '../../parts/events/api';
import { nameOfEvent } from '../../parts/events/figures';
import { timeline } from './person';
import { daysOf, type TimelineRow } from './rows';
import { useEnd } from './useEnd';

/** What the keys of rows begin with that are no events of the app's own. */
const internal = '[CLY]_';

/** The kinds of rows that a timeline is narrowed to, beside the app's own events. */
const sorts = ['all', 'custom-events', '[CLY]_session_begin', '[CLY]_view', '[CLY]_crash', '[CLY]_consent'] as const;

/** What a person did, the latest first: all, or one kind of it, or what holds a text. More comes with scrolling. */
export function Timeline({ app, uid }: { app: App; uid: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [event, setEvent] = useState('all');
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 250);
  const query = useInfiniteQuery({ ...timeline(app._id, uid, { event, search }), placeholderData: keepPreviousData });
  const events = useQuery(eventList(app._id)).data;
  const rows = query.data?.pages.flatMap((page) => page.aaData) ?? [];
  const nameOf = ({ e, n }: TimelineRow) =>
    n !== undefined && n !== '' ? (e === viewKey ? t('live.view', { name: n }) : nameOfEvent(n, events)) : t(`timeline.events.${e.slice(internal.length) as 'session'}`, { defaultValue: e });
  const { fetchNextPage, hasNextPage, isFetchingNextPage, isFetchNextPageError } = query;
  const more = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  const end = useEnd<HTMLDivElement>(hasNextPage && !isFetchingNextPage && !isFetchNextPageError ? more : undefined);
  const narrowed = event !== 'all' || search !== '';
  return (
    <Section title={t('timeline.title')} lead={t('timeline.lead', { zone: app.timezone })}>
      <Group gap="sm" className="no-print" align="end">
        <Select
          label={t('timeline.show')}
          allowDeselect={false}
          searchable
          value={event}
          onChange={(next) => setEvent(next ?? 'all')}
          data={[
            { group: t('timeline.kinds'), items: sorts.map((value) => ({ value, label: t(`timeline.sorts.${value}`) })) },
            { group: t('nav.events'), items: (events?.list ?? []).map((key) => ({ value: key, label: nameOfEvent(key, events) })) },
          ]}
        />
        <TextInput label={t('timeline.search')} value={typed} onChange={(e) => setTyped(e.currentTarget.value)} />
      </Group>
      {query.error !== null && query.data === undefined ? (
        <Failed error={query.error} retry={() => void query.refetch()} />
      ) : query.data === undefined ? (
        <Loading />
      ) : rows.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t(narrowed ? 'timeline.noneLike' : 'timeline.none')}
        </Text>
      ) : (
        <Stack gap="md">
          {daysOf(rows, app.timezone).map(({ day, rows: list }) => (
            <div key={day}>
              <Text component="h3" size="sm" fw={600} mb={4}>
                {format.day(day)}
              </Text>
              <ol className="timeline">
                {list.map((r) => (
                  <li key={r._id} data-kind={r.e.startsWith('[CLY]_session') ? 'session' : r.e === viewKey ? 'view' : 'event'}>
                    <time dateTime={new Date(r.ts).toISOString()}>
                      <bdi>{format.clock(r.ts, app.timezone)}</bdi>
                    </time>
                    <div>
                      <Group gap="xs">
                        <Text span size="sm" fw={600} className="breakable">
                          <bdi>{nameOf(r)}</bdi>
                        </Text>
                        {r.c !== undefined && r.c > 1 && <Badge variant="default">{`× ${format.count(r.c)}`}</Badge>}
                        {r.dur !== undefined && r.dur > 0 && (
                          <Text span size="sm" c="dimmed">
                            <bdi>{format.duration(r.dur)}</bdi>
                          </Text>
                        )}
                        {r.s !== undefined && r.s !== 0 && (
                          <Text span size="sm" c="dimmed">
                            {`${t('events.s')} ${format.amount(r.s)}`}
                          </Text>
                        )}
                      </Group>
                      {!r.e.startsWith('[CLY]_session') && r.sg !== undefined && (
                        <Text size="xs" c="dimmed" className="breakable">
                          <bdi>
                            {Object.entries(r.sg)
                              .filter(([name]) => isTelling(r.e, name))
                              .map(([name, value]) => `${name}: ${value}`)
                              .join(' · ')}
                          </bdi>
                        </Text>
                      )}
                    </div>
                  </li>
                ))}
              </ol>
            </div>
          ))}
          {hasNextPage && (
            <Group justify="center" ref={end}>
              <Button variant="default" loading={isFetchingNextPage} onClick={more}>
                {t('timeline.more')}
              </Button>
            </Group>
          )}
        </Stack>
      )}
    </Section>
  );
}
