import { ActionIcon, Button, Popover, Stack, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fileFormats, type FileFormat } from '../../lib/file';
import { DownloadIcon } from '../icons';

/** Asks for the format of a file, and has it made. */
export function SaveMenu({ what, onSave }: { what: string; onSave: (format: FileFormat) => Promise<unknown> }) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const [pending, setPending] = useState(false);
  const choose = async (format: FileFormat) => {
    setOpened(false);
    setPending(true);
    await onSave(format);
    setPending(false);
  };
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Tooltip label={t('save.download')} withArrow>
          <ActionIcon variant="default" size={36} aria-label={`${t('save.download')}: ${what}`} loading={pending} onClick={() => setOpened((o) => !o)}>
            <DownloadIcon size={18} />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('save.download')} p={6}>
        <Stack gap={2}>
          {fileFormats.map((format) => (
            <Button key={format} variant="subtle" size="compact-md" justify="start" onClick={() => void choose(format)}>
              {t(`save.${format}`)}
            </Button>
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
