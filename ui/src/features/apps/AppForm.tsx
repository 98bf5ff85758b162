import { Button, FileInput, Group, SegmentedControl, Select, Stack, Text, TextInput } from '@mantine/core';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Form } from '../../components/form/Form';
import { GlobeIcon, ImageIcon } from '../../components/icons';
import { Loading } from '../../components/States';
import { appTypes, categories, type App, type AppType } from '../../access/apps';
import type { AppFields } from './changes';
import { countries, here as spoken, zones } from './zones';
import { lazily } from '../../components/lazily';
import { patiently } from '../../lib/patiently';

// The map has the borders of the world with it, and comes when it is wanted.
const ZoneMap = lazily(async () => (await import('./ZoneMap')).default, { meanwhile: Loading });

interface Props {
  /** The app that is changed; without, a new one is made. */
  app?: App;
  pending: boolean;
  error: unknown;
  button: string;
  onSubmit: (fields: AppFields & { icon: File | null }) => void;
}

/** What a person says about an app. */
export function AppForm({ app, pending, error, button, onSubmit }: Props) {
  const { t, i18n } = useTranslation();
  const [name, setName] = useState(app?.name ?? '');
  const [missing, setMissing] = useState(false);
  const [type, setType] = useState<AppType>(app?.type ?? 'web');
  const [timezone, setTimezone] = useState(() => app?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone);
  const [category, setCategory] = useState(app?.category ?? '2');
  const [country, setCountry] = useState<string | null>(app?.country ?? null);
  const [ownCountry, setOwnCountry] = useState(app !== undefined);
  const [icon, setIcon] = useState<File | null>(null);
  const [map, setMap] = useState(false);
  const zoneList = useMemo(() => zones(timezone), [timezone]);
  const countryList = useMemo(() => countries(i18n.language), [i18n.language]);
  const types: Record<AppType, string> = { web: t('create.typeWeb'), mobile: t('create.typeMobile'), desktop: t('create.typeDesktop') };

  // Until a person chooses one, the country is that of the zone; where a zone has none, that of the browser's language.
  useEffect(() => {
    if (ownCountry) return;
    let here = true;
    void patiently(() => import('./places')).then(
      ({ countryOf }) => here && setCountry(countryOf(timezone) ?? spoken()),
      () => here && setCountry(spoken()),
    );
    return () => {
      here = false;
    };
  }, [timezone, ownCountry]);

  const submit = () => {
    const trimmed = name.trim();
    setMissing(trimmed === '');
    if (trimmed === '') return;
    onSubmit({ name: trimmed, timezone, type, category, icon, ...(country === null ? {} : { country }) });
  };
  return (
    <Form button={button} pending={pending} error={error} onSubmit={submit} ownChecks>
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
      <Stack gap="xs">
        <Group gap="xs" align="end" wrap="nowrap">
          <Select
            flex={1}
            label={t('create.zone')}
            description={t('create.zoneHint')}
            data={zoneList}
            searchable
            limit={100}
            allowDeselect={false}
            value={timezone}
            onChange={(zone) => {
              if (zone !== null) setTimezone(zone);
            }}
          />
          <Button variant="default" leftSection={<GlobeIcon size={18} />} aria-expanded={map} onClick={() => setMap((open) => !open)}>
            {t('create.zoneByMap')}
          </Button>
        </Group>
        {map && <ZoneMap value={timezone} onChange={setTimezone} />}
      </Stack>
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
        <Select
          label={t('create.country')}
          data={countryList}
          searchable
          limit={100}
          allowDeselect={false}
          value={country}
          onChange={(code) => {
            setOwnCountry(true);
            setCountry(code);
          }}
        />
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
    </Form>
  );
}
