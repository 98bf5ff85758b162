import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Section } from '../../components/Section';
import { Failed, Loading } from '../../components/States';
import { useFormat } from '../../i18n';
import { isTelling, viewKey } from '../../lib/segments';
import type { App } from '../../access/apps';
import { eventList } from '../events/api';
import { nameOfEvent } from '../events/figures';
import { timeline } from './api';
import { daysOf, type TimelineRow } from './rows';

/** What the keys of rows begin with that are no events of the app's own. */
const internal = '[CLY]_';

/** What a person did, the latest first. */
export function Timeline({ app, uid }: { app: App; uid: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const query = useInfiniteQuery(timeline(app._id, uid));
  const events = useQuery(eventList(app._id)).data;
  const rows = query.data?.pages.flat() ?? [];
  const nameOf = ({ e, n }: TimelineRow) =>
    n !== undefined && n !== '' ? (e === viewKey ? t('live.view', { name: n }) : nameOfEvent(n, events)) : t(`timeline.events.${e.slice(internal.length) as 'session'}`, { defaultValue: e });
  return (
    <Section title={t('timeline.title')} lead={t('timeline.lead', { zone: app.timezone })}>
      {query.error !== null && query.data === undefined ? (
        <Failed error={query.error} retry={() => void query.refetch()} />
      ) : query.data === undefined ? (
        <Loading />
      ) : rows.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('timeline.none')}
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
          {query.hasNextPage && (
            <Group justify="center">
              <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                {t('timeline.more')}
              </Button>
            </Group>
          )}
        </Stack>
      )}
    </Section>
  );
}
