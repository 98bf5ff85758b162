import { ActionIcon, Code, Text, Tooltip } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { copyText } from '../lib/clipboard';
import { CheckIcon, CopyIcon } from './icons';
import { toasts } from './toasts';

/** How long the success mark stays, in ms. */
const shown = 2000;

/** Copies a text; what names it. */
export function CopyButton({ what, text }: { what: string; text: string }) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(0);
  useEffect(() => {
    if (copied === 0) return;
    const timer = setTimeout(() => setCopied(0), shown);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    if (await copyText(text)) setCopied((n) => n + 1);
    else toasts.show(t('settings.notCopied'), 'failed');
  };
  const done = copied > 0;
  return (
    <Tooltip label={done ? t('settings.copied') : t('settings.copy')} withArrow>
      <ActionIcon variant="subtle" color="gray" size={30} onClick={() => void copy()} aria-label={done ? t('settings.copied') : t('settings.copyOf', { what })}>
        {done ? <CheckIcon /> : <CopyIcon />}
      </ActionIcon>
    </Tooltip>
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
        <CopyButton what={label} text={value} />
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
        <CopyButton what={label} text={code} />
      </div>
      <pre dir="ltr" tabIndex={0} role="region" aria-label={label}>
        {code}
      </pre>
    </div>
  );
}
