import '@mantine/dates/styles.css';
import 'dayjs/locale/de';
import { Button, Group, Stack, TextInput } from '@mantine/core';
import { DatePicker } from '@mantine/dates';
import { useState, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { firstDayOf, useLocale } from '../../i18n';
import { isDay, today, type Period, type Span } from '../../lib/period';

interface Props {
  span: Span;
  zone: string;
  onApply: (p: Period) => void;
}

/** Two days of one's own, by calendar or by typing. */
export default function Calendar({ span, zone, onApply }: Props) {
  const { t, i18n } = useTranslation();
  const locale = useLocale();
  const now = today(zone);
  const [from, setFrom] = useState(span.from);
  const [to, setTo] = useState(span.to);
  const right = isDay(from) && isDay(to) && from <= to && to <= now;

  const submit = (e: SyntheticEvent) => {
    e.preventDefault();
    if (right) onApply({ kind: 'custom', from, to });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <DatePicker
          type="range"
          allowSingleDateInRange
          size="sm"
          locale={i18n.language}
          weekendDays={[]}
          firstDayOfWeek={firstDayOf(locale)}
          defaultDate={span.to}
          maxDate={now}
          value={[isDay(from) ? from : null, isDay(to) ? to : null]}
          onChange={([first, last]) => {
            setFrom(first ?? '');
            setTo(last ?? '');
          }}
          ariaLabels={{ nextMonth: t('period.nextMonth'), previousMonth: t('period.previousMonth') }}
        />
        <Group gap="xs" grow wrap="nowrap" maw={280}>
          <TextInput size="xs" type="date" label={t('period.from')} value={from} max={now} onChange={(e) => setFrom(e.currentTarget.value)} />
          <TextInput size="xs" type="date" label={t('period.to')} value={to} min={from} max={now} onChange={(e) => setTo(e.currentTarget.value)} />
        </Group>
        <Button type="submit" size="xs" disabled={!right}>
          {t('period.apply')}
        </Button>
      </Stack>
    </form>
  );
}
