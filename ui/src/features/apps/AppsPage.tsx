import { Anchor, Box, Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Answer } from '../../components/Answer';
import { actionColumn } from '../../components/form/RowActions';
import { Page } from '../../components/Page';
import { Icon } from '../../components/AppIcon';
import type { Column } from '../../components/table/columns';
import { DataTable } from '../../components/table/DataTable';
import { useTableState } from '../../components/table/useTableState';
import { categories, myApps, type App } from '../../access/apps';

/** All apps of the server. */
export function AppsPage() {
  const { t } = useTranslation();
  const table = useTableState('name');
  const category = (app: App) => {
    const known = categories[Number(app.category) - 1];
    return known === undefined ? app.category : t(`category.${known}`);
  };
  const kinds = { web: t('create.typeWeb'), mobile: t('create.typeMobile'), desktop: t('create.typeDesktop') };
  const columns: Column<App>[] = [
    {
      key: 'name',
      title: t('create.name'),
      fixed: true,
      value: (a) => a.name,
      text: (a) => a.name,
      cell: (a) => (
        <Group gap="sm" wrap="nowrap">
          <Icon app={a} size={28} />
          <Anchor size="sm" className="breakable" renderRoot={(props) => <Link {...props} to="/apps/$appId" params={{ appId: a._id }} />}>
            {a.name}
          </Anchor>
        </Group>
      ),
    },
    { key: 'type', title: t('create.type'), value: (a) => kinds[a.type], text: (a) => kinds[a.type] },
    { key: 'category', title: t('create.category'), value: category, text: category },
    { key: 'zone', title: t('create.zone'), value: (a) => a.timezone, text: (a) => a.timezone },
    { key: 'key', title: t('settings.appKey'), value: (a) => a.key, text: (a) => a.key, cell: (a) => <code>{`${a.key.slice(0, 8)}…`}</code> },
    actionColumn((a) => [{ label: t('app.edit'), name: t('app.editWhat', { what: a.name }), to: `/apps/${a._id}/settings` }]),
  ];
  return (
    <Page
      title={t('nav.apps')}
      actions={
        <Button component={Link} to="/apps/new">
          {t('app.add')}
        </Button>
      }
    >
      <Answer query={useQuery(myApps)}>
        {(rows) => (
          <Box className="card" p="md">
            <DataTable caption={t('nav.apps')} columns={columns} rows={rows} file={t('nav.apps')} {...table} />
          </Box>
        )}
      </Answer>
    </Page>
  );
}
