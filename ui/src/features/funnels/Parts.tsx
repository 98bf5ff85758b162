import { Box, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import type { Field } from '../../components/filter/field';
import { PickButton } from '../../components/filter/PickButton';
import { useUnits } from '../../components/filter/useUnits';
import type { Column } from '../../components/table/columns';
import { DataTable } from '../../components/table/DataTable';
import { useFormat, useLocale } from '../../i18n';
import { fileNamed } from '../../lib/csv';
import { useTime } from '../../lib/useView';
import type { Analysis, Comparison, Part } from './api';
import { chance, level, nameOfPart, pointsOf, shareOf } from './figures';
import { Spans, type SpanRow } from './Spans';

interface Props {
  app: App;
  data: Analysis;
  groups: readonly Part[];
  /** What the steps are called. */
  names: readonly string[];
  field: Field | undefined;
  path: string;
  /** What is counted. */
  count: string;
  /** Narrows the funnel to a group. */
  pickOf: (part: Part) => (() => void) | undefined;
}

/** How many groups the picture has; the table has all. */
const mostSpans = 10;

/** Says how a group differs from all others. */
function useSure(): (c: Comparison) => string {
  const { t } = useTranslation();
  const locale = useLocale();
  return (c) => {
    if (c.adjusted >= level) return t('funnels.noDifference', { p: chance(c.adjusted, locale) });
    return t(c.difference > 0 ? 'funnels.higher' : 'funnels.lower', { points: pointsOf(Math.abs(c.difference), locale).replace('+', ''), p: chance(c.adjusted, locale) });
  };
}

/** The users of each value of a property: how many came to each step. */
export function Parts({ app, data, groups, names, field, path, count, pickOf }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const locale = useLocale();
  const { span } = useTime(app);
  const name = (p: Part) => nameOfPart(p, field, { none: t('funnels.absent'), other: t('funnels.others') });
  const title = t('funnels.groupsOf', { property: field?.name ?? path });
  const sure = useSure();
  const { units } = useUnits(count);
  const last = data.steps.length - 1;
  const rate = (p: Part) => shareOf(p.users[last] ?? 0, p.users[0] ?? 0);
  const columns: Column<Part>[] = [
    { key: 'value', title: field?.name ?? path, fixed: true, value: name, text: name, cell: (p) => <PickButton name={name(p)} onPick={pickOf(p)} /> },
    { key: 'rate', title: t('funnels.conversion'), numeric: true, form: 'share', value: rate, text: (p) => format.share(rate(p)) },
    ...data.steps.map((_, i): Column<Part> => {
      const users = (p: Part) => p.users[i] ?? 0;
      return { key: String(i), title: `${i + 1}. ${names[i] ?? ''}`, numeric: true, value: users, text: (p) => format.count(users(p)) };
    }),
    ...(data.significance === undefined
      ? []
      : [
          { key: 'difference', title: t('funnels.difference'), numeric: true, value: (p: Part) => p.comparison?.difference ?? '', text: (p: Part) => (p.comparison === undefined ? '–' : t('funnels.points', { points: pointsOf(p.comparison.difference, locale) })) },
          { key: 'chance', title: t('funnels.chance'), numeric: true, value: (p: Part) => p.comparison?.adjusted ?? '', text: (p: Part) => (p.comparison === undefined ? '–' : chance(p.comparison.adjusted, locale).replace('= ', '')) },
        ]),
  ];
  const compared = groups.flatMap(({ comparison, ...p }) => (comparison === undefined ? [] : [{ name: name(p), comparison, users: p.users[0] ?? 0 }]));
  const spans = compared.slice(0, mostSpans).map(({ name, comparison: c, users }): SpanRow => ({
    key: name,
    name,
    under: t('funnels.people', { number: format.count(users), units: units(users) }),
    value: c.percent,
    low: c.percentLow,
    high: c.percentHigh,
    text: t('funnels.between', { share: format.percent(c.percent / 100), low: format.percent(c.percentLow / 100), high: format.percent(c.percentHigh / 100) }),
    note: sure(c),
    tone: c.adjusted >= level ? 'none' : c.difference > 0 ? 'up' : 'down',
  }));
  const { significance } = data;
  return (
    <Box className="card" p="md" component="section" aria-label={title}>
      <Title order={2} size="h4" mb="sm">
        {title}
      </Title>
      {significance !== undefined && spans.length > 0 && (
        <>
          <Text size="sm" mb="sm">
            {t(significance.rough === true ? 'funnels.differRough' : significance.p < level ? 'funnels.differ' : 'funnels.differNot', { p: chance(significance.p, locale) })}
          </Text>
          <Spans label={t('funnels.spansOf', { property: field?.name ?? path })} rows={spans} from={0} to={Math.max(...spans.map((s) => s.high))} mark={shareOf(data.success_users, data.users_in_first_step) * 100} />
          <Text size="xs" c="dimmed" mb="md">
            {t('funnels.spansHint')}
          </Text>
        </>
      )}
      <DataTable caption={title} columns={columns} rows={groups} file={fileNamed([t('nav.funnels'), title], span)} />
    </Box>
  );
}
