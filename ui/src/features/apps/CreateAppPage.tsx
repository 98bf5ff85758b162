import { Box, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { PageTitle } from '../../components/PageTitle';
import { Failed, Loading, Notice } from '../../components/States';
import { me } from '../../access/me';
import { myApps } from '../../access/apps';
import { useCreateApp } from './changes';
import { AppForm } from './AppForm';

/** Makes an app; on a fresh server the first page that an administrator sees. */
export function CreateAppPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const apps = useQuery(myApps);
  const member = useQuery(me);
  const create = useCreateApp();
  if (apps.isError) return <Failed error={apps.error} />;
  if (member.isError) return <Failed error={member.error} />;
  if (apps.data === undefined || member.data === undefined) return <Loading />;
  if (!member.data.global_admin) {
    return <Notice level={1} title={t('create.noApps')} text={t('create.noAppsHint')} />;
  }
  const first = apps.data.length === 0;
  return (
    <Box maw={600} mx="auto" pt="md">
      <PageTitle>{first ? t('create.first') : t('create.title')}</PageTitle>
      <Text c="dimmed" mb="lg">
        {first ? t('create.firstLead') : t('create.lead')}
      </Text>
      <Box className="card" p="lg">
        <AppForm
          pending={create.isPending}
          error={create.error}
          button={t('create.button')}
          onSubmit={(fields) =>
            create.mutate(fields, { onSuccess: (app) => void navigate({ to: '/apps/$appId/settings', params: { appId: app._id } }) })
          }
        />
      </Box>
    </Box>
  );
}
