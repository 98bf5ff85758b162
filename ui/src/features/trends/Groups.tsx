import { Box, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import type { Field } from '../../components/filter/field';
import { withGroup } from '../../components/filter/groups';
import { PickButton } from '../../components/filter/PickButton';
import { Coming, Failed } from '../../components/States';
import { DataTable } from '../../components/table/DataTable';
import { parseSort, type Column } from '../../components/table/columns';
import { useOwnTableState } from '../../components/table/useTableState';
import { useFormat } from '../../i18n';
import { fileNamed } from '../../lib/csv';
import { useTime } from '../../lib/useView';
import { groups, mostGroups, type Question, type Segment } from '../../parts/trends/api';
import { formOf, orderOf, partsOf, valueOf, write, type Measure } from '../../parts/trends/measure';
import { nameOfKeys } from '../../parts/trends/series';
import { useMeasureName } from '../../parts/trends/useDefinition';

const shown: readonly Measure[] = ['t', 'u', 'per_user', 's', 'dur'];

interface Props {
  app: App;
  question: Question;
  nameOf: (event: string) => string;
  fields: readonly Field[];
  /** The filter of the report, as JSON. */
  filter: string;
  onFilter: (filter: string) => void;
}

/** The groups of a breakdown, with their figures over the whole period; a value narrows the report to it. */
export function Groups({ app, question, nameOf, fields, filter, onFilter }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const { span } = useTime(app);
  const measureName = useMeasureName(fields, nameOf, question.count ?? '');
  const { by, measure } = question;
  const table = useOwnTableState(`-${measure}`);
  const { data, error, refetch } = useQuery({ ...groups(app, question, serverOrder(table.state.sort, question)), placeholderData: keepPreviousData });
  if (error !== null && data === undefined) return <Failed error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Coming height={300} />;
  const property = (path: string) => fields.find((f) => f.path === path)?.name ?? path;
  const title = t('trends.groups', { event: nameOf(question.event), property: by.map(property).join(', ') });
  const rows = Object.values(data.segments);
  const labels = new Map(Object.entries(data.segments).map(([label, segment]) => [segment, label]));
  const was = (s: Segment) => valueOf(measure, data.compare?.segments?.[labels.get(s) ?? '']);
  const extra: Measure[] = shown.includes(measure) || (partsOf(measure)[0] === undefined && measure !== 'sessions' && !measure.startsWith('avg_')) ? [] : [measure];
  const columns: Column<Segment>[] = [
    ...by.map((path, i): Column<Segment> => {
      const text = (s: Segment) => nameOfKeys(s.keys, [path], fields, t('trends.absent'));
      const cell = (s: Segment) => {
        const narrowed = withGroup(filter, { [path]: s.keys[path] }, fields);
        return <PickButton name={text(s)} onPick={narrowed === undefined ? undefined : () => onFilter(narrowed)} />;
      };
      return { key: path, title: property(path), ...(i === 0 ? { fixed: true } : {}), value: text, text, cell };
    }),
    ...[...extra, ...shown].map((m): Column<Segment> => ({
      key: m,
      title: measureName(m),
      numeric: true,
      ...formOf(m),
      value: (s) => valueOf(m, s) ?? 0,
      text: (s) => write(m, valueOf(m, s), format),
    })),
    ...(data.compare === undefined
      ? []
      : [{ key: 'before', title: t('trends.before', { name: measureName(measure) }), numeric: true, ...formOf(measure), value: (s: Segment) => was(s) ?? 0, text: (s: Segment) => write(measure, was(s), format) }]),
  ];
  return (
    <Box className="card" p="md" component="section" aria-label={title}>
      <Title order={2} size="h4" mb="sm" className="breakable">
        {title}
      </Title>
      <DataTable caption={title} columns={columns} rows={rows} file={fileNamed([title], span)} {...table} />
      {data.page_data.total > mostGroups && (
        <Text size="xs" c="dimmed" mt="xs">
          {t('trends.mostGroups', { count: mostGroups, total: format.count(data.page_data.total) })}
        </Text>
      )}
    </Box>
  );
}

/** The order of a table in the words of the API, so that the groups that are listed are the first ones in it; that of the measure where the API has none. */
function serverOrder(sort: string, { by, measure, filter }: Question): { by: string; desc: boolean } {
  const { key, desc } = parseSort(sort) ?? { key: measure, desc: true };
  const value = by.indexOf(key);
  if (value >= 0) return { by: `s${value}`, desc };
  if (key === measure) return { by: orderOf(measure, filter).by, desc };
  return ['t', 'u', 's', 'dur'].includes(key) ? { by: key, desc } : { by: orderOf(measure, filter).by, desc: true };
}
