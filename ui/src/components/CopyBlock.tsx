import { ActionIcon, Box, Code, CopyButton, Group, Text, Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CheckIcon, CopyIcon } from './icons';

function Copy({ what, text }: { what: string; text: string }) {
  const { t } = useTranslation();
  return (
    <CopyButton value={text} timeout={2000}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? t('settings.copied') : t('settings.copy')} withArrow>
          <ActionIcon
            variant="default"
            size="lg"
            onClick={copy}
            aria-label={copied ? t('settings.copied') : t('settings.copyOf', { what })}
          >
            {copied ? <CheckIcon /> : <CopyIcon />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}

/** A short value with a button that copies it. */
export function CopyField({ label, hint, value }: { label: string; hint: string; value: string }) {
  return (
    <div>
      <Text fw={600} size="sm">
        {label}
      </Text>
      <Text c="dimmed" size="sm" mb={6}>
        {hint}
      </Text>
      <Group gap="xs" wrap="nowrap">
        <Code className="breakable" fz="sm" px="sm" py={8} flex={1} bg="var(--quipu-code)">
          {value}
        </Code>
        <Copy what={label} text={value} />
      </Group>
    </div>
  );
}

/** A piece of code with a button that copies it. */
export function CopyBlock({ label, code }: { label: string; code: string }) {
  return (
    <Box pos="relative">
      <pre className="code" tabIndex={0} role="region" aria-label={label}>
        {code}
      </pre>
      <Box pos="absolute" top={8} right={8}>
        <Copy what={label} text={code} />
      </Box>
    </Box>
  );
}
