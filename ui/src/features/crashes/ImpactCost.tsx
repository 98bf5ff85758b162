import { Select, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { useFormat, useLocale } from '../../i18n';
import { useOnly } from '../../lib/useView';
import { useEventNames } from '../../parts/events/useEventNames';
import { Spans } from '../funnels/Spans';
import { Waiting } from './ImpactStates';
import { saidOf } from './impact';
import { cost, type Asked, type Measure, type Outcome } from './impactApi';

/** How many of those hit came back or did an event, beside people like them who were not hit. */
export function CostPart({ asked, app }: { asked: Asked; app: App }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [only, choose] = useOnly();
  const goal = only.goal ?? '';
  const { nameOf, options } = useEventNames(app._id);
  const [task, setTask] = useState<string>();
  const { data, error, refetch } = useQuery({ ...cost(asked, goal, setTask), placeholderData: keepPreviousData });
  if (data === undefined) return <Waiting task={task} error={error} refetch={refetch} />;
  const groups = (['return', 'event'] as const).map((kind) => ({ kind, list: data.outcomes.filter((o) => o.kind === kind) })).filter(({ list }) => list.length > 0);
  return (
    <>
      <Text size="sm">
        {t('crashes.impact.firstHit', { count: data.users, number: format.count(data.users) })}
        {data.sample !== undefined && ` ${t('crashes.impact.sample', { count: data.sample })}`}
      </Text>
      {groups.map(({ kind, list }) => (
        <div key={kind}>
          <Title order={3} size="sm" mb={6} className="breakable">
            {kind === 'return' ? t('crashes.impact.return') : t('crashes.impact.did', { event: nameOf(goal) })}
          </Title>
          <div className="crash-outcomes">
            {list.map((outcome) => (
              <OutcomeCard key={outcome.days} outcome={outcome} event={kind === 'event' ? nameOf(goal) : undefined} />
            ))}
          </div>
        </div>
      ))}
      <Select
        className="no-print crash-goal"
        size="xs"
        label={t('crashes.impact.goal')}
        placeholder={t('crashes.impact.goalNone')}
        data={options}
        value={goal === '' ? null : goal}
        onChange={(next) => choose('goal', next ?? '')}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': t('filters.clearOne', { what: t('crashes.impact.goal') }) }}
      />
      <Text size="xs" c="dimmed">
        {t('crashes.impact.costHint')}
      </Text>
    </>
  );
}

function OutcomeCard({ outcome, event }: { outcome: Outcome; event: string | undefined }) {
  const { t } = useTranslation();
  const format = useFormat();
  const locale = useLocale();
  const said = saidOf(outcome);
  const within = t('crashes.impact.within', { count: outcome.days });
  const share = (n: number) => format.percent(n / 100);
  const points = (n: number) => new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(Math.abs(n));
  const { hit, other, difference } = outcome;
  const sentence = () => {
    if (said === 'early') return t('crashes.impact.early');
    if (hit === undefined || other === undefined || difference === undefined) return t('crashes.impact.fewOutcome', { matched: format.count(outcome.matched), others: format.count(outcome.unhit) });
    const low = points(said === 'fewer' ? (difference.high ?? 0) : difference.low);
    const high = points(said === 'fewer' ? difference.low : (difference.high ?? 100));
    if (said === 'same') return t('crashes.impact.same');
    return t(`crashes.impact.${said}`, { points: points(difference.value), low, high });
  };
  const row = (key: string, name: string, m: Measure, tone: 'up' | 'down' | 'none') => ({
    key,
    name,
    value: m.value,
    low: m.low,
    high: m.high ?? 100,
    text: share(m.value),
    note: t('crashes.impact.interval', { low: share(m.low), high: share(m.high ?? 100) }),
    tone,
  });
  return (
    <section aria-label={event === undefined ? within : `${event}, ${within}`}>
      <Text size="sm" fw={600}>
        {within}
      </Text>
      <Text size="sm" mb="xs">
        {(said === 'few' || said === 'early') && <strong>{`${t('crashes.impact.few')} `}</strong>}
        {sentence()}
      </Text>
      {hit !== undefined && other !== undefined && (
        <Spans
          label={within}
          from={0}
          to={Math.max(hit.high ?? 100, other.high ?? 100)}
          mark={other.value}
          rows={[
            row('hit', t('crashes.impact.hit', { count: outcome.matched, number: format.count(outcome.matched) }), hit, said === 'fewer' ? 'down' : said === 'more' ? 'up' : 'none'),
            row('other', t('crashes.impact.others', { count: outcome.unhit, number: format.count(outcome.unhit) }), other, 'none'),
          ]}
        />
      )}
      {outcome.followed > outcome.matched && (
        <Text size="xs" c="dimmed">
          {t('crashes.impact.unmatched', { count: outcome.followed - outcome.matched, number: format.count(outcome.followed - outcome.matched) })}
        </Text>
      )}
    </section>
  );
}
