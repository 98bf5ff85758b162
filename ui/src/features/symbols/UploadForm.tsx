import { FileInput, Progress, Select, Stack, Text, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { FormDialog } from '../../components/form/FormDialog';
import { toasts } from '../../components/toasts';
import { useFormat } from '../../i18n';
import { platforms, useUpload, type Overview } from './api';
import { endings, platformOf, refusedOf } from './files';

/** What an upload begins with. */
export interface Begun {
  platform: string;
  build: string;
}

/** Uploads the symbol files of a build. Closing the form ends the upload. */
export function UploadForm({ app, all, begun, onClose }: { app: App; all: Overview; begun: Begun; onClose: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [share, setShare] = useState(0);
  const [files, setFiles] = useState<File[]>([]);
  const [platform, setPlatform] = useState(begun.platform);
  const [build, setBuild] = useState(begun.build);
  const [note, setNote] = useState('');
  const upload = useUpload(app._id, setShare);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const size = files.reduce((sum, f) => sum + f.size, 0);
  const refused = refusedOf(files, platform, { files: all.max_files, bytes: Math.max(0, all.most - all.used) });
  const choose = (chosen: File[]) => {
    setFiles(chosen);
    const known = chosen[0] === undefined ? undefined : platformOf(chosen[0].name);
    if (known !== undefined) setPlatform(known);
  };
  const submit = () => {
    setShare(0);
    running.current = new AbortController();
    upload.mutate(
      { files, platform, build: build.trim(), note: note.trim(), signal: running.current.signal },
      {
        onSuccess: ({ problem }) => {
          toasts.show(problem === '' ? t('symbols.done') : t('symbols.doneUnread', { problem }), problem === '' ? undefined : 'failed');
          onClose();
        },
      },
    );
  };
  return (
    <FormDialog
      title={t('symbols.upload')}
      button={t('symbols.upload')}
      pending={upload.isPending}
      error={upload.error}
      ready={files.length > 0 && build.trim() !== '' && refused === undefined}
      onSubmit={submit}
      onClose={onClose}
    >
      <FileInput
        label={t('symbols.files')}
        description={t('symbols.filesHint')}
        placeholder={t('symbols.choose')}
        multiple
        clearable
        clearButtonProps={{ 'aria-label': t('symbols.clear') }}
        accept={endings.join(',')}
        error={refused === undefined ? undefined : t(`symbols.refused.${refused}`, { count: all.max_files })}
        value={files}
        onChange={choose}
        disabled={upload.isPending}
      />
      <Select
        label={t('symbols.kind')}
        allowDeselect={false}
        value={platform}
        data={platforms.map((value) => ({ value, label: t(`symbols.kinds.${value}`) }))}
        onChange={(value) => {
          if (value !== null) setPlatform(value);
        }}
      />
      <TextInput label={t('symbols.build')} description={t('symbols.buildHint')} required maxLength={1000} value={build} onChange={(e) => setBuild(e.currentTarget.value)} />
      <TextInput label={t('symbols.note')} maxLength={1000} value={note} onChange={(e) => setNote(e.currentTarget.value)} />
      {upload.isPending && (
        <Stack gap={4} role="status">
          <Progress value={share * 100} animated={share >= 1} aria-label={t('symbols.progress')} />
          <Text size="sm" c="dimmed">
            {share >= 1 ? t('symbols.reading') : t('symbols.sent', { share: format.percent(share), size: format.bytes(size) })}
          </Text>
        </Stack>
      )}
    </FormDialog>
  );
}
