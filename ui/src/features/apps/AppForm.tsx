import { Button, FileInput, Group, SegmentedControl, Select, Stack, Text, TextInput } from '@mantine/core';
import { useState, type ReactNode, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { ImageIcon } from '../../components/icons';
import { ErrorNote } from '../../components/States';
import { nameOf } from '../metrics/definitions';
import { appTypes, categories, type App, type AppFields, type AppType } from './api';

interface Props {
  /** The app that is changed; without, a new one is made. */
  app?: App;
  pending: boolean;
  error: unknown;
  button: string;
  onSubmit: (fields: AppFields & { icon: File | null }) => void;
  extra?: ReactNode;
}

/** What a person says about an app. */
export function AppForm({ app, pending, error, button, onSubmit, extra }: Props) {
  const { t, i18n } = useTranslation();
  const [name, setName] = useState(app?.name ?? '');
  const [missing, setMissing] = useState(false);
  const [type, setType] = useState<AppType>(app?.type ?? 'web');
  const [timezone, setTimezone] = useState(() => app?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone);
  const [category, setCategory] = useState(app?.category ?? '2');
  const [country, setCountry] = useState<string | null>(() => app?.country ?? here());
  const [icon, setIcon] = useState<File | null>(null);
  const types: Record<AppType, string> = { web: t('create.typeWeb'), mobile: t('create.typeMobile'), desktop: t('create.typeDesktop') };

  const submit = (e: SyntheticEvent) => {
    e.preventDefault();
    const trimmed = name.trim();
    setMissing(trimmed === '');
    if (trimmed === '') return;
    onSubmit({ name: trimmed, timezone, type, category, icon, ...(country === null ? {} : { country }) });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {error !== null && <ErrorNote error={error} />}
        <TextInput
          label={t('create.name')}
          placeholder={t('create.namePlaceholder')}
          required
          maxLength={200}
          value={name}
          error={missing ? t('create.nameMissing') : undefined}
          onChange={(e) => setName(e.currentTarget.value)}
        />
        <div>
          <Text component="div" id="app-type" size="sm" fw={600} mb={4}>
            {t('create.type')}
          </Text>
          <SegmentedControl
            aria-labelledby="app-type"
            fullWidth
            value={type}
            onChange={setType}
            data={appTypes.map((value) => ({ value, label: types[value] }))}
          />
        </div>
        <Select
          label={t('create.zone')}
          description={t('create.zoneHint')}
          data={zones(timezone)}
          searchable
          limit={100}
          allowDeselect={false}
          value={timezone}
          onChange={(zone) => {
            if (zone !== null) setTimezone(zone);
          }}
        />
        <Group grow align="start">
          <Select
            label={t('create.category')}
            data={categories.map((c, i) => ({ value: String(i + 1), label: t(`category.${c}`) }))}
            searchable
            allowDeselect={false}
            value={category}
            onChange={(value) => {
              if (value !== null) setCategory(value);
            }}
          />
          <Select label={t('create.country')} data={countries(i18n.language)} searchable limit={100} allowDeselect={false} value={country} onChange={setCountry} />
        </Group>
        <FileInput
          label={t('create.icon')}
          description={t('create.iconHint')}
          placeholder={t('create.iconChoose')}
          leftSection={<ImageIcon size={18} />}
          accept="image/png,image/jpeg,image/gif"
          clearable
          clearButtonProps={{ 'aria-label': t('create.iconClear') }}
          value={icon}
          onChange={setIcon}
        />
        <Group>
          <Button type="submit" loading={pending}>
            {button}
          </Button>
          {extra}
        </Group>
      </Stack>
    </form>
  );
}

/** The time zones that the browser knows, with UTC, which some leave out, and how far each is from it now. */
function zones(present: string): { value: string; label: string }[] {
  const all = [...new Set([present, 'UTC', ...Intl.supportedValuesOf('timeZone')])].sort();
  return all.map((value) => ({ value, label: `${value.replaceAll('_', ' ')} (${distance(value)})` }));
}

function distance(zone: string): string {
  try {
    const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'shortOffset' }).formatToParts(new Date());
    return parts.find((p) => p.type === 'timeZoneName')?.value ?? zone;
  } catch {
    return zone; // a zone that this browser does not know
  }
}

/** The country that the browser's language speaks of. */
function here(): string | null {
  return new Intl.Locale(navigator.language).maximize().region ?? null;
}

const letters = Array.from({ length: 26 }, (_, i) => String.fromCharCode(65 + i));

/** The countries that the browser knows by name, in order of the language. */
function countries(lang: string): { value: string; label: string }[] {
  const name = nameOf(lang, 'region');
  const noCountries = new Set(['EU', 'EZ', 'UN', 'QO', 'ZZ', 'XA', 'XB', 'AC', 'CP', 'DG', 'EA', 'IC', 'TA', 'CQ', 'XK']);
  const gone = /^(AN|BU|CS|DD|DY|FX|HV|NH|NT|RH|SU|TP|UK|VD|YD|YU|ZR)$/;
  return letters
    .flatMap((a) => letters.map((b) => a + b))
    .filter((code) => !noCountries.has(code) && !gone.test(code))
    .flatMap((value) => {
      const label = name(value);
      return label === value ? [] : [{ value, label }];
    })
    .sort((a, b) => a.label.localeCompare(b.label, lang));
}
