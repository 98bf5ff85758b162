import { Button, Stack, Text, Title } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from '@tanstack/react-query';
import { ErrorNote } from '../../components/ErrorNote';
import { useView } from '../../lib/useView';
import { WaysOn } from '../../parts/empty/WaysOn';
import { EventChoice } from '../../parts/events/EventChoice';
import { eventSums } from '../../parts/events/api';
import { useTime } from '../../lib/useView';
import { useSetPurchases } from './api';
import type { Shared } from './Controls';
import { Sample } from './Sample';

/** How many events with sums are offered. */
const offered = 4;

/** Shown until an app says which events are purchases: how to choose them, and what will be there. */
export function Choose({ app, names, sets }: Shared): ReactNode {
  const { t } = useTranslation();
  const [, set] = useView();
  const { period, against } = useTime(app);
  const sums = useQuery(eventSums(app, period, against)).data;
  const [chosen, choose] = useState<string[]>([]);
  const save = useSetPurchases(app._id);
  const likely = Object.values(sums?.total ?? {})
    .filter((e) => e.s > 0)
    .sort((a, b) => b.s - a.s)
    .slice(0, offered)
    .map((e) => e._id);
  const without = names.options.every(({ items }) => items.every(({ value }) => value.startsWith('[CLY]_')));
  return (
    <section className="card pad" aria-label={t('revenue.none')}>
      <Stack gap="sm">
        <Title order={2} size="h3">
          {t('revenue.none')}
        </Title>
        <Text c="dimmed">{t(without ? 'revenue.noneWithoutEvents' : sets ? 'revenue.noneHint' : 'revenue.noneReader')}</Text>
        {without ? (
          <WaysOn app={app} />
        ) : (
          <>
            {likely.length > 0 && (
              <div role="group" aria-label={t('revenue.likely')}>
                <Text size="sm" mb={4}>
                  {t('revenue.likely')}
                </Text>
                <div className="revenue-likely">
                  {likely.map((key) => (
                    <Button key={key} size="xs" variant={chosen.includes(key) ? 'filled' : 'default'} aria-pressed={chosen.includes(key)} onClick={() => choose(chosen.includes(key) ? chosen.filter((one) => one !== key) : [...chosen, key])}>
                      {names.nameOf(key)}
                    </Button>
                  ))}
                </div>
              </div>
            )}
            <EventChoice label={t('revenue.purchases')} events={chosen} names={names} most={50} onChange={choose} />
            <div className="revenue-likely">
              {sets && (
                <Button disabled={chosen.length === 0} loading={save.isPending} onClick={() => save.mutate(chosen)}>
                  {t('revenue.saveForAll')}
                </Button>
              )}
              <Button variant={sets ? 'default' : 'filled'} disabled={chosen.length === 0} onClick={() => set({ events: JSON.stringify(chosen) })}>
                {t('revenue.onlyLook')}
              </Button>
            </div>
            {save.error !== null && <ErrorNote error={save.error} />}
          </>
        )}
        <Sample />
      </Stack>
    </section>
  );
}
