import { SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ChartCard } from '../../components/chart/ChartCard';
import { Definition } from '../../components/Definition';
import { withGroup } from '../../components/filter/groups';
import { PickButton } from '../../components/filter/PickButton';
import type { Column } from '../../components/table/columns';
import { usePeriodText } from '../../components/time/PeriodPicker';
import { useFormat, useLocale } from '../../i18n';
import { fileNamed } from '../../lib/csv';
import { useTime, useView } from '../../lib/useView';
import { steps } from '../../parts/figures/figures';
import { nameOfKeys } from '../../parts/trends/series';
import type { Shared } from './ActiveUsersPage';
import { paramsOf, type Group, type Report, type Window } from './api';
import { useDefinition } from './useDefinition';

const keys = ['d', 'w', 'm'] as const;

/** The people of each value of a property, those with most first. */
export function GroupsCard(props: Shared & { data: Report; groups: readonly Group[] }) {
  const { app, question, fields, data, groups } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const locale = useLocale();
  const [view, set] = useView();
  const { period, span } = useTime(app);
  const periodName = usePeriodText()(period);
  const [as, setAs] = useState<'chart' | 'table'>('chart');
  const [key, setKey] = useState<Window>('d');
  const property = fields.find((f) => f.path === question.by)?.name ?? question.by;
  const title = t('active.groups', { property });
  const definition = useDefinition(props, data);
  const nameOf = ({ value, other }: Group) => (other === true ? t('retention.others') : nameOfKeys({ [question.by]: value }, [question.by], fields, t('retention.absent')));
  // The bar narrows by properties of users; those of events hold for none of the page's other figures.
  const pickOf = ({ value, other }: Group) => {
    const filter = other === true || question.by.startsWith('sg.') ? undefined : withGroup(view.filter, { [question.by]: value }, fields);
    return filter === undefined ? undefined : () => set({ filter, page: 1 });
  };
  const rows = groups.map((group, i) => ({ ...group, id: String(i), name: nameOf(group), pick: pickOf(group) }));
  const columns: Column<(typeof rows)[number]>[] = [
    { key: 'name', title: property, fixed: true, value: (g) => g.name, text: (g) => g.name, cell: (g) => <PickButton name={g.name} onPick={g.pick} /> },
    ...keys.map((one): Column<(typeof rows)[number]> => ({ key: one, title: t(`active.${one}`), numeric: true, value: (g) => g.mean[one], text: (g) => format.count(Math.round(g.mean[one])) })),
    { key: 'dm', title: t('active.stickiness'), numeric: true, form: 'percent', value: (g) => g.mean.dm, text: (g) => format.share(g.mean.dm / 100) },
  ];
  const more = (data.groups_total ?? 0) - rows.length;
  return (
    <ChartCard
      title={title}
      about={`${t(`active.${key}`)}, ${periodName}`}
      spec={{
        kind: 'series',
        steps: steps(data.days, locale, span),
        continuous: false,
        present: data.today === '' ? undefined : data.days.length - 1,
        series: rows.map(({ name, days, pick }) => ({ name, values: days.map((day) => day[key]), onPick: pick })),
        format: format.count,
        formatTick: format.short,
      }}
      columns={columns}
      rows={rows}
      file={fileNamed([t('nav.active'), title], span)}
      as={as}
      onAs={setAs}
      actions={
        <>
          <SegmentedControl
            size="xs"
            aria-label={t('active.window')}
            value={key}
            onChange={(next) => setKey(keys.find((one) => one === next) ?? 'd')}
            data={keys.map((value) => ({ value, label: t(`active.short.${value}`) }))}
          />
          <Definition what={title} path="/o/active_users/report" params={paramsOf(app, question)} fields={[[t('trends.by'), property], ...definition]} />
        </>
      }
    >
      <Text size="xs" c="dimmed" mt="xs">
        {t('active.groupsHint')}
        {more > 0 && ` ${t('active.moreGroups', { count: more, number: format.count(more) })}`}
      </Text>
    </ChartCard>
  );
}
