import { Button, Group, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Section } from '../../components/Section';
import { Failed, Loading } from '../../components/States';
import { useFormat } from '../../i18n';
import type { App } from '../../access/apps';
import { useFields } from '../../parts/filters/fields';
import { writeValue } from './fields';
import { historyOf, type Change } from './person';

/** When properties of a person changed: from which value to which. */
export function HistoryCard({ app, uid }: { app: App; uid: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const query = useInfiniteQuery(historyOf(app._id, uid));
  const fields = useFields(app._id, 'people', [], true);
  const fieldOf = (path: string) => fields.find((f) => f.path === path);
  const nameOf = (path: string) => fieldOf(path)?.name ?? path.replace(/^custom\./, '');
  const text = ({ property }: Change, value: unknown) => {
    if (value === null || value === undefined) return '–';
    const written = writeValue(value);
    const field = fieldOf(property);
    return field?.metric === undefined ? written : field.decode(written); // only dimensions are encoded here
  };
  const changes = query.data?.pages.flatMap((page) => page.changes) ?? [];
  return (
    <Section title={t('profiles.history')} lead={t('profiles.historyLead')}>
      {query.error !== null && query.data === undefined ? (
        <Failed error={query.error} retry={() => void query.refetch()} />
      ) : query.data === undefined ? (
        <Loading />
      ) : changes.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('profiles.noHistory')}
        </Text>
      ) : (
        <ol className="history" aria-label={t('profiles.history')}>
          {changes.map((c) => (
            <li key={`${c.ts} ${c.property} ${String(c.to)}`}>
              <Text size="xs" c="dimmed" component="time" dateTime={new Date(c.ts).toISOString()}>
                {c.exact ? format.moment(c.ts, app.timezone) : t('profiles.notBefore', { time: format.moment(c.ts, app.timezone) })}
              </Text>
              <Text size="sm" className="breakable">
                <bdi>
                  <strong>{nameOf(c.property)}</strong>: {text(c, c.from)} → {text(c, c.to)}
                </bdi>
              </Text>
            </li>
          ))}
        </ol>
      )}
      {query.hasNextPage && (
        <Group justify="center">
          <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t('profiles.moreChanges')}
          </Button>
        </Group>
      )}
    </Section>
  );
}
