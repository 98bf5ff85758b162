import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { read } from '../api/client';
import * as v from '../api/schema';
import { CopyBlock } from './CopyBlock';
import { Detail } from './Detail';
import { ErrorNote } from './ErrorNote';
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
      <RawAnswer path={path} params={params} />
    </Detail>
  );
}

/** How many characters of an answer are shown. */
const most = 100_000;

/** The answer of the API as it comes, when it is asked for. */
function RawAnswer({ path, params }: Pick<Props, 'path' | 'params'>) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const { data, error, isFetching } = useQuery({ queryKey: ['raw', path, params], queryFn: ({ signal }) => read(path, v.unknown(), { ...params }, signal), enabled: open, staleTime: 30_000 });
  if (!open || data === undefined) {
    return (
      <div>
        <Button variant="default" size="xs" loading={open && isFetching} onClick={() => setOpen(true)}>
          {t('definition.raw')}
        </Button>
        {error !== null && <ErrorNote error={error} />}
      </div>
    );
  }
  const text = JSON.stringify(data, null, 2);
  return <CopyBlock label={t('definition.answer')} code={text.length > most ? `${text.slice(0, most)}\n…` : text} />;
}
