import { ActionIcon, Code, CopyButton, Text, Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CheckIcon, CopyIcon } from './icons';

function Copy({ what, text }: { what: string; text: string }) {
  const { t } = useTranslation();
  return (
    <CopyButton value={text} timeout={2000}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? t('settings.copied') : t('settings.copy')} withArrow>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={30}
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

/** A short value with a button that copies it; without a hint it stands alone, below what tells what it is. */
export function CopyField({ label, hint, value }: { label: string; hint?: string; value: string }) {
  return (
    <div>
      {hint !== undefined && (
        <>
          <Text fw={600} size="sm">
            {label}
          </Text>
          <Text c="dimmed" size="sm" mb={6}>
            {hint}
          </Text>
        </>
      )}
      <div className="copy-box">
        <Code dir="ltr" className="copy-field breakable">
          {value}
        </Code>
        <Copy what={label} text={value} />
      </div>
    </div>
  );
}

/** A piece of code with a button that copies it; the title tells what or where it is. */
export function CopyBlock({ label, title = label, code }: { label: string; title?: string; code: string }) {
  return (
    <div className="code">
      <div className="code-head">
        <Text size="xs" c="dimmed" fw={600} component="span">
          {title}
        </Text>
        <Copy what={label} text={code} />
      </div>
      <pre dir="ltr" tabIndex={0} role="region" aria-label={label}>
        {code}
      </pre>
    </div>
  );
}
