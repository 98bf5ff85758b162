import { Button, Group, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNote } from '../../components/ErrorNote';
import { FieldList, Section } from '../../components/Section';
import { nameOf } from '../../parts/metrics/definitions';
import { locationOf } from './api';

/** Finds where an address is. */
export function Lookup({ appID, onFound }: { appID: string; onFound: (at: { lat: number; lng: number }) => void }) {
  const { t, i18n } = useTranslation();
  const [text, setText] = useState('');
  const [asked, setAsked] = useState<string>();
  const { data, error, isFetching } = useQuery({ ...locationOf(appID, asked ?? ''), enabled: asked !== undefined });
  const submit = (e: SyntheticEvent) => {
    e.preventDefault();
    setAsked(text.trim());
  };
  const found = asked === undefined ? undefined : data?.location;
  const at = found?.ll;
  return (
    <Section title={t('places.lookup')} lead={t('places.lookupHint')}>
      <form onSubmit={submit}>
        <Group align="end" gap="sm">
          <TextInput label={t('places.ip')} placeholder={t('places.ipHint')} maxLength={64} value={text} onChange={(e) => setText(e.currentTarget.value)} />
          <Button type="submit" variant="default" loading={isFetching}>
            {t('places.find')}
          </Button>
        </Group>
      </form>
      {error !== null && <ErrorNote error={error} />}
      <div role="status">
        {found === null && <Text size="sm">{t('places.unknown')}</Text>}
        {found != null && (
          <FieldList
            fields={[
              [t('places.country'), nameOf(i18n.language, 'region')(found.country)],
              ...(found.region === '' ? [] : [[t('places.region'), found.region] as const]),
              ...(found.city === '' ? [] : [[t('places.city'), found.city] as const]),
              ...(at === undefined ? [] : [[t('places.point'), `${at[0]}, ${at[1]}`] as const]),
            ]}
          />
        )}
      </div>
      {at !== undefined && (
        <Group>
          <Button size="compact-sm" variant="subtle" onClick={() => onFound({ lat: at[0], lng: at[1] })}>
            {t('places.show')}
          </Button>
        </Group>
      )}
    </Section>
  );
}

