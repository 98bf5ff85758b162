import { Button, Divider, Group, NavLink, Popover, Stack, TextInput } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { CalendarIcon, ChevronIcon } from './icons';
import { isDay, presets, today, type Period } from '../lib/period';

/** The words for a period. */
export function usePeriodText(): (p: Period) => string {
  const { t, i18n } = useTranslation();
  return (p) => {
    if (p.kind === 'preset') return t(`period.${p.preset}`);
    const format = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium', timeZone: 'UTC' });
    return format.formatRange(new Date(p.from), new Date(p.to));
  };
}

interface Props {
  value: Period;
  zone: string;
  onChange: (p: Period) => void;
}

/** The one picker of periods: ready-made ones, and two days of one's own. */
export function PeriodPicker({ value, zone, onChange }: Props) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const text = usePeriodText();

  const choose = (p: Period) => {
    setOpened(false);
    onChange(p);
  };
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" trapFocus returnFocus shadow="md">
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<CalendarIcon size={18} />}
          rightSection={<ChevronIcon size={16} />}
          onClick={() => setOpened((o) => !o)}
        >
          <span className="visually-hidden">{`${t('period.label')}: `}</span>
          {text(value)}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('period.label')} p="xs">
        <Stack gap={2}>
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
                py={6}
                onClick={() => choose({ kind: 'preset', preset })}
              />
            );
          })}
        </Stack>
        <Divider my="xs" label={t('period.custom')} />
        <CustomRange value={value} zone={zone} onApply={choose} />
      </Popover.Dropdown>
    </Popover>
  );
}

function CustomRange({ value, zone, onApply }: { value: Period; zone: string; onApply: (p: Period) => void }) {
  const { t } = useTranslation();
  const now = today(zone, new Date());
  const [from, setFrom] = useState(value.kind === 'custom' ? value.from : now);
  const [to, setTo] = useState(value.kind === 'custom' ? value.to : now);
  const right = isDay(from) && isDay(to) && from <= to;

  const submit = (e: SyntheticEvent) => {
    e.preventDefault();
    if (right) onApply({ kind: 'custom', from, to });
  };
  return (
    <form onSubmit={submit}>
      <Group align="end" gap="xs" wrap="nowrap">
        <TextInput type="date" label={t('period.from')} value={from} max={now} onChange={(e) => setFrom(e.currentTarget.value)} />
        <TextInput type="date" label={t('period.to')} value={to} max={now} min={from} onChange={(e) => setTo(e.currentTarget.value)} />
      </Group>
      <Button type="submit" fullWidth mt="xs" disabled={!right}>
        {t('period.apply')}
      </Button>
    </form>
  );
}
