import { Button, Divider, Group, NavLink, Popover, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../i18n';
import { comparisons, presets, type Comparison, type Match, type Period, type Span } from '../../lib/period';
import { CalendarIcon, ChevronIcon } from '../icons';
import { Loading } from '../States';
import { lazily } from '../lazily';

// For those who look for days of their own, or compare.
const Calendar = lazily(async () => (await import('./Calendar')).default, { meanwhile: Loading });
const Weekday = lazily(async () => (await import('./Weekday')).default);

/** The words for a period. */
export function usePeriodText(): (p: Period) => string {
  const { t } = useTranslation();
  const format = useFormat();
  return (p) => (p.kind === 'preset' ? t(`period.${p.preset}`) : format.days(p.from, p.to));
}

interface Props {
  value: Period;
  /** The days of the value. */
  span: Span;
  zone: string;
  compare: Comparison;
  match: Match;
  onChange: (p: Period) => void;
  onCompare: (compare: Comparison, match: Match) => void;
}

const Back = () => (
  <span className="turn-back" aria-hidden>
    <ChevronIcon size={14} />
  </span>
);

/** The one picker of time: ready-made periods, days of a calendar, and what they are compared with. */
export function PeriodPicker({ value, span, zone, compare, match, onChange, onCompare }: Props) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const [calendar, setCalendar] = useState(false);
  const text = usePeriodText();

  const choose = (p: Period) => {
    setOpened(false);
    onChange(p);
  };
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      trapFocus
      returnFocus
      shadow="md"
      onOpen={() => setCalendar(value.kind === 'custom')}
    >
      <Popover.Target>
        <Button
          variant="default"
          className="period-button"
          leftSection={<CalendarIcon size={18} />}
          rightSection={<ChevronIcon size={16} />}
          onClick={() => setOpened((o) => !o)}
        >
          <span className="visually-hidden">{`${t('period.label')}: `}</span>
          {text(value)}
          {compare !== 'none' && (
            <Text span c="dimmed" ms={6} fz="sm" visibleFrom="xs">
              {t(`period.vs.${compare}`)}
            </Text>
          )}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('period.label')} p="xs" className="period-choices" data-calendar={calendar}>
        <Group align="start" gap="xs">
          <Stack gap={2} miw={170} className="period-presets">
            {presets.map((preset) => {
              const active = value.kind === 'preset' && value.preset === preset;
              return (
                <NavLink
                  key={preset}
                  component="button"
                  type="button"
                  label={t(`period.${preset}`)}
                  active={active}
                  aria-pressed={active}
                  py={5}
                  className="area"
                  onClick={() => choose({ kind: 'preset', preset })}
                />
              );
            })}
            <NavLink
              component="button"
              type="button"
              label={t('period.custom')}
              active={value.kind === 'custom'}
              aria-pressed={calendar}
              py={5}
              className="area"
              onClick={() => setCalendar(true)}
            />
          </Stack>
          {calendar && (
            <div>
              <Button variant="subtle" size="compact-sm" mb="xs" className="period-back" onClick={() => setCalendar(false)} leftSection={<Back />}>
                {t('period.presets')}
              </Button>
              <Calendar span={span} zone={zone} onApply={choose} />
            </div>
          )}
        </Group>
        <Divider my="xs" />
        <Text size="sm" fw={600} mb={4} aria-hidden>
          {t('period.compare')}
        </Text>
        <Stack gap="xs">
          <SegmentedControl
            size="xs"
            aria-label={t('period.compare')}
            value={compare}
            onChange={(c) => onCompare(c, match)}
            data={comparisons.map((c) => ({ value: c, label: t(`period.${c}`) }))}
          />
          <Weekday compare={compare} match={match} onMatch={(next) => onCompare(compare, next)} />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
