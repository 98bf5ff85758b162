import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import type { Field } from '../../components/filter/field';
import { unitsNamed, useUnits } from '../../components/filter/useUnits';
import { usePeriodText } from '../../components/time/PeriodPicker';
import { useFormat } from '../../i18n';
import { useTime } from '../../lib/useView';
import type { useEventNames } from '../../parts/events/useEventNames';
import { useFilterWords } from '../../parts/trends/useDefinition';
import type { Question, Report } from './api';

type Fields = (readonly [string, string])[];
type Names = ReturnType<typeof useEventNames>;

/** What the figures of retention count. */
export function useReportDefinition(app: App, question: Question, names: Names, fields: readonly Field[], data: Report): Fields {
  const { t } = useTranslation();
  const words = useFilterWords(app, fields)(JSON.stringify(question.filter));
  const when = useWhen(app);
  const { start, back, first, mode, unit, by, count = '' } = question;
  const { name: units } = useUnits(count);
  return [
    [t('retention.start', { units }), start.map(names.nameOf).join(', ')],
    [t('retention.startType'), t(`retention.startTypes.${first ? 'first' : 'recurring'}`)],
    [t('retention.filter'), words === '' ? '–' : words],
    [t('retention.return'), back.map(names.nameOf).join(', ')],
    [t('retention.mode'), t(`retention.modes.${unit}.${mode}`)],
    [t('retention.by'), by === '' ? '–' : (fields.find((f) => f.path === by)?.name ?? by)],
    [t('filter.countBy'), unitsNamed(units, fields, count)],
    [t('retention.def.share'), t('retention.def.shareText')],
    when,
    [t('retention.def.exact'), t(data.source === 'cells' ? 'retention.def.exactDays' : 'retention.def.exactEvents')],
  ];
}

/** What the figures of activity count. */
export function useActivityDefinition(app: App, { start, unit, count = '' }: Question, names: Names, fields: readonly Field[]): Fields {
  const { t } = useTranslation();
  const { name, units } = useUnits(count);
  const when = useWhen(app);
  return [
    [t('retention.active'), start.map(names.nameOf).join(', ')],
    [t('filter.countBy'), unitsNamed(name, fields, count)],
    [t('retention.phases.new'), t('retention.def.new')],
    ...(['returning', 'resurrected', 'dormant'] as const).map((phase) => [t(`retention.phases.${phase}`), t(`retention.def.${phase}.${unit}`)] as const),
    [t('retention.stickiness'), t(`retention.def.stickiness.${unit}`, { units: units(2) })],
    [t('retention.interval'), t(`retention.def.interval.${unit}`, { units: units(2) })],
    when,
    [t('retention.def.exact'), t('retention.def.exactEvents')],
  ];
}

function useWhen(app: App): readonly [string, string] {
  const { t } = useTranslation();
  const format = useFormat();
  const { period, span } = useTime(app);
  const name = usePeriodText()(period);
  return [t('retention.def.period'), `${name} (${format.days(span.from, span.to)}), ${app.timezone}`];
}
