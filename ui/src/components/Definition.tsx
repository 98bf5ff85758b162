import { ActionIcon, Tooltip } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyBlock } from './CopyBlock';
import { Detail } from './Detail';
import { InfoIcon } from './icons';
import { FieldList } from './Section';

interface Props {
  /** What is defined, as people call it. */
  what: string;
  fields: readonly (readonly [string, ReactNode])[];
  /** The path and the parameters of the API that answer the same. */
  path: string;
  params: Readonly<Record<string, string | number | boolean | object>>;
}

/** The sign behind which figures are explained: what they count, of when, and the query as the API takes it. */
export function Definition({ what, fields, path, params }: Props) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const label = t('definition.label', { what });
  return (
    <>
      <Tooltip label={t('definition.open')} withArrow>
        <ActionIcon variant="default" size={30} aria-label={label} onClick={() => setOpen(true)}>
          <InfoIcon size={18} />
        </ActionIcon>
      </Tooltip>
      {open && <DefinitionDetail what={what} fields={fields} path={path} params={params} onClose={() => setOpen(false)} />}
    </>
  );
}

/** What stands behind the sign. */
export function DefinitionDetail({ what, fields, path, params, onClose }: Props & { onClose: () => void }) {
  const { t } = useTranslation();
  const lines = Object.entries(params).map(([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : String(value)}`);
  return (
    <Detail title={t('definition.label', { what })} onClose={onClose}>
      <FieldList fields={fields} />
      <CopyBlock label={t('definition.query')} code={[`GET ${path}`, ...lines].join('\n')} />
    </Detail>
  );
}
