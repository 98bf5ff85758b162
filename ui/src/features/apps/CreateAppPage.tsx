import { Alert, Box, Button, SegmentedControl, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/client';
import { Failed, Loading, Notice } from '../../components/States';
import { appTypes, me, myApps, useCreateApp, type AppType } from './api';

/** Makes an app; on a fresh server the first page that an administrator sees. */
export function CreateAppPage() {
  const { t } = useTranslation();
  const apps = useQuery(myApps);
  const member = useQuery(me);
  if (apps.isError) return <Failed error={apps.error} />;
  if (member.isError) return <Failed error={member.error} />;
  if (apps.data === undefined || member.data === undefined) return <Loading />;
  if (!member.data.global_admin) {
    return <Notice level={1} title={t('create.noApps')} text={t('create.noAppsHint')} />;
  }
  const first = apps.data.length === 0;
  return (
    <Box maw={560} mx="auto" pt="md">
      <Title order={1} size="h2">
        {first ? t('create.first') : t('create.title')}
      </Title>
      <Text c="dimmed" mb="lg">
        {first ? t('create.firstLead') : t('create.lead')}
      </Text>
      <Form />
    </Box>
  );
}

function Form() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const create = useCreateApp();
  const [name, setName] = useState('');
  const [missing, setMissing] = useState(false);
  const [type, setType] = useState<AppType>('web');
  const [timezone, setTimezone] = useState(() => Intl.DateTimeFormat().resolvedOptions().timeZone);

  const submit = (e: SyntheticEvent) => {
    e.preventDefault();
    const trimmed = name.trim();
    setMissing(trimmed === '');
    if (trimmed === '') return;
    create.mutate(
      { name: trimmed, timezone, type },
      { onSuccess: (app) => void navigate({ to: '/apps/$appId/settings', params: { appId: app._id } }) },
    );
  };
  const types: Record<AppType, string> = {
    web: t('create.typeWeb'),
    mobile: t('create.typeMobile'),
    desktop: t('create.typeDesktop'),
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack className="card" p="lg" gap="md">
        {create.isError && (
          <Alert color="red" role="alert" title={t('state.error')}>
            {create.error instanceof ApiError ? create.error.message : String(create.error)}
          </Alert>
        )}
        <TextInput
          label={t('create.name')}
          placeholder={t('create.namePlaceholder')}
          required
          maxLength={200}
          value={name}
          error={missing ? t('create.nameMissing') : undefined}
          onChange={(e) => setName(e.currentTarget.value)}
        />
        <div>
          <Text component="div" id="app-type" size="sm" fw={600} mb={4}>
            {t('create.type')}
          </Text>
          <SegmentedControl
            aria-labelledby="app-type"
            fullWidth
            value={type}
            onChange={setType}
            data={appTypes.map((value) => ({ value, label: types[value] }))}
          />
        </div>
        <Select
          label={t('create.zone')}
          description={t('create.zoneHint')}
          data={zones(timezone)}
          searchable
          limit={80}
          allowDeselect={false}
          value={timezone}
          onChange={(zone) => {
            if (zone !== null) setTimezone(zone);
          }}
        />
        <Button type="submit" loading={create.isPending}>
          {t('create.button')}
        </Button>
      </Stack>
    </form>
  );
}

/** The time zones that the browser knows, with UTC, which some leave out. */
function zones(present: string): string[] {
  return [...new Set([present, 'UTC', ...Intl.supportedValuesOf('timeZone')])].sort();
}
