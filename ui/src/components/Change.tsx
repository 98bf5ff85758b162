import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../i18n';
import { nothingCompared, type Against, type Change } from '../lib/change';

const wholeDay = 24;

/** Says what figures are compared with, in short for the eye and with the reason for those who point at it. */
export function useAgainst(): (against: Against) => { text: string; why: string | undefined } {
  const { t } = useTranslation();
  const format = useFormat();
  return ({ first, last, until, withoutToday = false }) => {
    const days = first > last ? '' : format.days(first, last);
    if (withoutToday) return { text: t('change.withoutToday', { days }), why: t('change.byDay') };
    if (until === wholeDay) return { text: t('change.vs', { days }), why: undefined };
    const hour = format.clock(Date.UTC(2000, 0, 1, until), 'UTC');
    return { text: t('change.until', { days, hour }), why: t('change.byHour', { hour }) };
  };
}

/** What is written of a change. */
export function useChangeText(): (change: Change | undefined) => string {
  const { t } = useTranslation();
  return (change) => (change === undefined ? '–' : change.trend === 'new' ? t('change.new') : change.text);
}

/** A change in its colour; plain where up and down are neither good nor bad. */
export function ChangeMark({ change, plain = false }: { change: Change | undefined; plain?: boolean }) {
  const text = useChangeText();
  return (
    <bdi dir="ltr" className="figure-change" data-trend={plain ? undefined : change?.trend}>
      {text(change)}
    </bdi>
  );
}

interface Props {
  change: Change | undefined;
  against: Against;
  /** What the figure was, where that is said. */
  from?: string | undefined;
  plain?: boolean;
}

/** A change and against what it is. */
export function ChangeNote({ change, against, from, plain = false }: Props) {
  const { t } = useTranslation();
  const { text, why } = useAgainst()(against);
  const nothing = nothingCompared(against);
  return (
    <span className="change-note" title={why}>
      <span className="visually-hidden">{`${t('metric.change')}: `}</span>
      <ChangeMark change={change} plain={plain} />
      {from !== undefined && (
        <>
          {' '}
          <Text span size="sm" c="dimmed" className="figure-before">
            {t('overview.from', { before: from })}
          </Text>
        </>
      )}
      <Text span size="xs" c="dimmed" className="figure-against">
        {` ${nothing ? t('change.tooEarly') : text}`}
      </Text>
      {why !== undefined && <span className="visually-hidden">{`. ${why}`}</span>}
    </span>
  );
}

/** Below figures that are counted by the day: why a comparison leaves today out, or has to wait for tomorrow. */
export function DayNote({ against, tooEarly }: { against: Against | undefined; tooEarly: boolean }) {
  const { t } = useTranslation();
  if (!tooEarly && against?.withoutToday !== true) return null;
  return (
    <Text size="sm" c="dimmed" mt="xs">
      {t(tooEarly ? 'change.tomorrow' : 'change.byDay')}
    </Text>
  );
}
