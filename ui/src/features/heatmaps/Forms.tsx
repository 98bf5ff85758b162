import { Button, Divider, FileInput, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { FormDialog } from '../../components/form/FormDialog';
import { toasts } from '../../components/toasts';
import type { ViewName } from '../../parts/views/api';
import { devices, tokenOf, useDeletePicture, useTake, useUpload, type Device, type heatParams, type Kind, type Picture } from './api';
import { openSite } from './site';

interface Props {
  app: App;
  view: ViewName;
  device: Device;
  /** The picture that is shown. */
  was: Picture | undefined;
  onClose: () => void;
}

const isAddress = (text: string) => /^https?:\/\/[^\s/]+/.test(text.trim());

function DeviceChoice({ value, onChange }: { value: Device; onChange: (device: Device) => void }) {
  const { t } = useTranslation();
  return (
    <Select
      label={t('heatmaps.device')}
      allowDeselect={false}
      data={devices.filter((d) => d !== 'all').map((d) => ({ value: d, label: t(`heatmaps.devices.${d}`) }))}
      value={value}
      onChange={(chosen) => chosen !== null && onChange(chosen)}
    />
  );
}

/** Which devices a picture is for: those chosen on the page. */
const first = (device: Device): Device => (device === 'all' ? 'desktop' : device);

/** Has the server take a picture of the page at an address. */
export function PictureOfPage({ app, view, device, was, onClose }: Props) {
  const { t } = useTranslation();
  const take = useTake(app._id);
  const [of, setOf] = useState(first(device));
  const [url, setURL] = useState(was?.address ?? '');
  const submit = () =>
    take.mutate(
      { view: view._id, device: of, url: url.trim() },
      {
        onSuccess: () => {
          toasts.show(t('heatmaps.done'));
          onClose();
        },
      },
    );
  return (
    <FormDialog title={t('heatmaps.take')} button={t('heatmaps.take')} pending={take.isPending} error={take.error} ready={isAddress(url)} onSubmit={submit} onClose={onClose}>
      <TextInput
        data-autofocus
        label={t('heatmaps.address')}
        description={t('heatmaps.addressHint')}
        placeholder="https://"
        maxLength={2000}
        value={url}
        onChange={(e) => setURL(e.currentTarget.value)}
      />
      <DeviceChoice value={of} onChange={setOf} />
    </FormDialog>
  );
}

/** Uploads a picture, or deletes the one that is shown. */
export function UploadPicture({ app, view, device, was, onClose }: Props) {
  const { t } = useTranslation();
  const upload = useUpload(app._id);
  const remove = useDeletePicture(app._id);
  const [of, setOf] = useState(first(device));
  const [file, setFile] = useState<File | null>(null);
  const shown = devices.find((d) => d === was?.device);
  const done = (text: string) => {
    toasts.show(text);
    onClose();
  };
  const submit = () => {
    if (file !== null) upload.mutate({ file, view: view._id, device: of }, { onSuccess: () => done(t('heatmaps.done')) });
  };
  return (
    <FormDialog
      title={t('heatmaps.upload')}
      button={t('heatmaps.upload')}
      pending={upload.isPending || remove.isPending}
      error={upload.error ?? remove.error}
      ready={file !== null}
      onSubmit={submit}
      onClose={onClose}
      below={
        shown !== undefined && (
          <>
            <Divider my="md" />
            <Button color="red" variant="light" onClick={() => remove.mutate({ view: view._id, device: shown }, { onSuccess: () => done(t('heatmaps.deleted')) })}>
              {t('heatmaps.delete')}
            </Button>
          </>
        )
      }
    >
      <FileInput
        label={t('heatmaps.file')}
        description={t('heatmaps.fileHint')}
        placeholder={t('heatmaps.choose')}
        accept="image/png,image/jpeg"
        clearable
        clearButtonProps={{ 'aria-label': t('heatmaps.clear') }}
        value={file}
        onChange={setFile}
      />
      <DeviceChoice value={of} onChange={setOf} />
    </FormDialog>
  );
}

/** Opens a page of the site, over which its SDK lets the heat be drawn. */
export function OnSite({ app, device, kind, was, params, onClose }: Props & { kind: Kind; params: ReturnType<typeof heatParams> }) {
  const { t, i18n } = useTranslation();
  const [url, setURL] = useState(was?.address ?? '');
  const [error, setError] = useState<Error | null>(null);
  const submit = () => {
    const { period, filter } = params;
    openSite(url.trim(), async () => ({
      token: await tokenOf(app._id),
      app_key: app.key,
      period,
      kind,
      device,
      lang: i18n.language,
      ...(filter === undefined ? {} : { filter }),
    })).then(onClose, (e: unknown) => setError(e instanceof Error ? e : new Error(String(e))));
  };
  return (
    <FormDialog title={t('heatmaps.site')} button={t('heatmaps.open')} pending={false} error={error} ready={isAddress(url)} onSubmit={submit} onClose={onClose}>
      <TextInput
        data-autofocus
        label={t('heatmaps.address')}
        description={t('heatmaps.siteHint')}
        placeholder="https://"
        maxLength={2000}
        value={url}
        onChange={(e) => setURL(e.currentTarget.value)}
      />
    </FormDialog>
  );
}
