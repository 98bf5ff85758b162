import { Box, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import type { Field } from '../../components/filter/field';
import type { Column } from '../../components/table/columns';
import { DataTable } from '../../components/table/DataTable';
import { useFormat } from '../../i18n';
import { fileNamed } from '../../lib/csv';
import { useTime } from '../../lib/useView';
import type { Analysis, Part } from './api';
import { nameOfPart, shareOf } from './figures';

interface Props {
  app: App;
  data: Analysis;
  groups: readonly Part[];
  /** What the steps are called. */
  names: readonly string[];
  field: Field | undefined;
  path: string;
}

/** The users of each value of a property: how many came to each step. */
export function Parts({ app, data, groups, names, field, path }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const { span } = useTime(app);
  const name = (p: Part) => nameOfPart(p, field, { none: t('funnels.absent'), other: t('funnels.others') });
  const title = t('funnels.groupsOf', { property: field?.name ?? path });
  const last = data.steps.length - 1;
  const rate = (p: Part) => shareOf(p.users[last] ?? 0, p.users[0] ?? 0);
  const columns: Column<Part>[] = [
    { key: 'value', title: field?.name ?? path, fixed: true, value: name, text: name },
    { key: 'rate', title: t('funnels.conversion'), numeric: true, form: 'share', value: rate, text: (p) => format.share(rate(p)) },
    ...data.steps.map((_, i): Column<Part> => {
      const users = (p: Part) => p.users[i] ?? 0;
      return { key: String(i), title: `${i + 1}. ${names[i] ?? ''}`, numeric: true, value: users, text: (p) => format.count(users(p)) };
    }),
  ];
  return (
    <Box className="card" p="md" component="section" aria-label={title}>
      <Title order={2} size="h4" mb="sm">
        {title}
      </Title>
      <DataTable caption={title} columns={columns} rows={groups} file={fileNamed([t('nav.funnels'), title], span)} />
    </Box>
  );
}
