import { Checkbox, NumberInput, Select, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Section } from '../../components/Section';
import { Form } from '../../components/form/Form';
import { toasts } from '../../components/toasts';
import { useFocusBack } from '../../lib/useFocusBack';
import { units, type Unit } from './api';
import { useCreatePlace } from './changes';
import { circleOf, type Draft } from './draft';

interface Props {
  appID: string;
  draft: Draft;
  onChange: (draft: Draft) => void;
  onClose: () => void;
  /** Whether it may be of the app, and of all apps. */
  mayHere: boolean;
  mayEverywhere: boolean;
}

/** Fills a place in, beside the map on which it is drawn meanwhile. */
export function PlaceForm({ appID, draft, onChange, onClose, mayHere, mayEverywhere }: Props) {
  const { t } = useTranslation();
  const create = useCreatePlace(appID);
  const title = useRef<HTMLInputElement>(null);
  useFocusBack();
  useEffect(() => title.current?.focus(), []);
  const circle = circleOf(draft);
  const set = (change: Partial<Draft>) => onChange({ ...draft, ...change });
  const submit = () => {
    if (circle === undefined) return;
    create.mutate(
      { title: circle.name, radius: Number(draft.radius), unit: draft.unit, lat: circle.lat, lng: circle.lng, everywhere: draft.everywhere || !mayHere },
      {
        onSuccess: () => {
          toasts.show(t('places.saved'));
          onClose();
        },
      },
    );
  };
  return (
    <Section title={t('places.new')}>
      <Form pending={create.isPending} error={create.error} ready={circle !== undefined && circle.name !== ''} onSubmit={submit} onCancel={onClose}>
        <Text size="sm" c="dimmed">
          {t('places.hint')}
        </Text>
        <SimpleGrid cols={{ base: 1, xs: 2, lg: 5 }} spacing="md">
          <TextInput ref={title} label={t('places.title')} required maxLength={200} value={draft.title} onChange={(e) => set({ title: e.currentTarget.value })} />
          <NumberInput label={t('places.lat')} required min={-90} max={90} decimalScale={6} hideControls value={draft.lat} onChange={(lat) => set({ lat })} />
          <NumberInput label={t('places.lng')} required min={-180} max={180} decimalScale={6} hideControls value={draft.lng} onChange={(lng) => set({ lng })} />
          <NumberInput label={t('places.radius')} required min={0} decimalScale={3} value={draft.radius} onChange={(radius) => set({ radius })} />
          <Select
            label={t('places.unit')}
            allowDeselect={false}
            value={draft.unit}
            onChange={(unit) => unit !== null && set({ unit: unit })}
            data={(Object.keys(units) as Unit[]).map((value) => ({ value, label: t(`places.units.${value}`) }))}
          />
        </SimpleGrid>
        {mayEverywhere && <Checkbox label={t('places.everywhere')} checked={draft.everywhere || !mayHere} disabled={!mayHere} onChange={(e) => set({ everywhere: e.currentTarget.checked })} />}
      </Form>
    </Section>
  );
}
