import { Group, Kbd, SimpleGrid, Stack, Switch, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../components/Dialog';
import { entries } from './menu';
import { singleKeys, singleKeysOn, switchSingleKeys, type Command } from './shortcuts';

/** Lists what keys do. */
export default function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [on, setOn] = useState(singleKeysOn);
  const says = (command: Command) => (command.do === 'period' ? t(`period.${command.preset}`) : command.do === 'page' ? '' : t(`shortcuts.${command.do}`));
  return (
    <Dialog onClose={onClose} title={t('shortcuts.title')} size="lg">
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xl">
        <Stack gap={6}>
          <Title order={3} size="h5">
            {t('shortcuts.everywhere')}
          </Title>
          <Row keys={['Ctrl', 'K']} text={t('shortcuts.palette')} />
          {Object.entries(singleKeys).map(([key, command]) => (
            <Row key={key} keys={[key === 'ArrowLeft' ? '←' : key === 'ArrowRight' ? '→' : key]} text={says(command)} />
          ))}
        </Stack>
        <Stack gap={6}>
          <Title order={3} size="h5">
            {t('shortcuts.pages')}
          </Title>
          {entries.map((p) => p.key !== undefined && <Row key={p.id} keys={['g', p.key]} text={t(p.label)} />)}
        </Stack>
      </SimpleGrid>
      <Switch
        mt="lg"
        label={t('shortcuts.single')}
        description={t('shortcuts.singleHint')}
        checked={on}
        onChange={(e) => {
          switchSingleKeys(e.currentTarget.checked);
          setOn(e.currentTarget.checked);
        }}
      />
    </Dialog>
  );
}

function Row({ keys, text }: { keys: string[]; text: string }) {
  return (
    <Group justify="space-between" wrap="nowrap">
      <Text size="sm">{text}</Text>
      <Group gap={4} wrap="nowrap">
        {keys.map((key) => (
          <Kbd key={key}>{key}</Kbd>
        ))}
      </Group>
    </Group>
  );
}
