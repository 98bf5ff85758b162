import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ChartCard } from '../../components/chart/ChartCard';
import { Definition } from '../../components/Definition';
import { useUnits } from '../../components/filter/useUnits';
import { Notice } from '../../components/States';
import type { Column } from '../../components/table/columns';
import { usePeriodText } from '../../components/time/PeriodPicker';
import { useFormat } from '../../i18n';
import { fileNamed } from '../../lib/csv';
import { useTime, useView } from '../../lib/useView';
import { paramsOf, type Report } from './api';
import type { Shared } from './Controls';
import { known, meanOf } from './figures';
import type { HeatRow } from './HeatTable';
import { useAgeName } from './names';
import { useReportDefinition } from './useDefinition';

interface Props extends Shared {
  data: Report;
  /** The same of the days compared with. */
  before: Report | undefined;
  /** The groups of a breakdown. */
  groups: readonly HeatRow[];
}

/** The share of all who came back by age: of those for whom the age is over. */
export function CurveCard({ app, question, names, fields, data, before, groups }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const [view, set] = useView();
  const { period, span } = useTime(app);
  const periodName = usePeriodText()(period);
  const ageName = useAgeName(data.unit);
  const definition = useReportDefinition(app, question, names, fields, data);
  const { units } = useUnits(question.count);
  const title = t('retention.curve');
  const mean = meanOf(data.mean);
  const earlier = before === undefined ? [] : meanOf(before.mean);
  const rows = data.brackets.map(({ from }, i) => ({ i, age: from, label: ageName(from), tick: String(from) }));
  const about = <Definition what={title} path="/o/retention" params={paramsOf(app, question)} fields={definition} />;
  if (mean.every((place) => place === undefined)) {
    return (
      <section className="card pad" aria-label={title}>
        <div className="retention-about no-print">{about}</div>
        <Notice title={t('retention.tooSoon')} text={t(`retention.tooSoonHint.${data.unit}`)} />
      </section>
    );
  }
  const cut = groups.length > 0;
  const lines = [
    { name: cut ? t('retention.all') : t('retention.cameBack'), places: mean, ...(cut ? { quiet: true } : {}) },
    ...(cut || earlier.every((place) => place === undefined) ? [] : [{ name: t('retention.before'), places: earlier, quiet: true }]),
    ...groups.map(({ name, places, onPick }) => ({ name, places, onPick })),
  ];
  const columns: Column<(typeof rows)[number]>[] = [
    { key: 'age', title: t('retention.ageColumn'), fixed: true, value: (r) => r.age, text: (r) => r.label },
    ...lines.map(({ name, places }, n): Column<(typeof rows)[number]> => ({
      key: `line${String(n)}`,
      title: name,
      numeric: true,
      form: 'share',
      value: (r) => places[r.i]?.share ?? '',
      text: (r) => {
        const place = places[r.i];
        return place === undefined ? '–' : format.share(place.share);
      },
    })),
    { key: 'kept', title: t('retention.kept', { units: units(2) }), numeric: true, value: (r) => mean[r.i]?.users ?? '', text: (r) => (mean[r.i] === undefined ? '–' : format.count(mean[r.i]?.users ?? 0)) },
    { key: 'over', title: t('retention.over', { units: units(2) }), numeric: true, value: (r) => mean[r.i]?.of ?? '', text: (r) => (mean[r.i] === undefined ? '–' : format.count(mean[r.i]?.of ?? 0)) },
  ];
  return (
    <ChartCard
      told
      title={title}
      about={`${t('retention.curveAbout')}, ${periodName}`}
      spec={{
        kind: 'series',
        steps: rows,
        continuous: true,
        series: lines.map(({ places, ...line }) => ({ ...line, values: rows.map(({ i }) => places[i]?.share) })),
        format: format.percent,
        formatTick: format.percent,
      }}
      columns={columns}
      rows={rows}
      file={fileNamed([t('nav.retention'), title], span)}
      as={view.as}
      onAs={(as) => set({ as })}
      actions={about}
    >
      <Text size="sm" mt="xs">
        {t('retention.summary', { count: data.users, number: format.count(data.users), units: units(data.users) })}{' '}
        {known(data)
          .map(({ age, place }) => t('retention.said', { age: ageName(age), share: format.percent(place.share), users: format.count(place.users), of: format.count(place.of) }))
          .join(' ')}
      </Text>
    </ChartCard>
  );
}
