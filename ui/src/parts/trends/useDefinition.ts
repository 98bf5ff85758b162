import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import type { Field } from '../../components/filter/field';
import { fromWire, readFilter } from '../../components/filter/filter';
import { wordsOf } from '../../components/filter/words';
import { unitsNamed, useUnits } from '../../components/filter/useUnits';
import { usePeriodText } from '../../components/time/PeriodPicker';
import { useFormat } from '../../i18n';
import { useTime } from '../../lib/useView';
import type { useEventNames } from '../events/useEventNames';
import { isOf, isRatio, partsOf, type Measure, type Worded } from './measure';
import { zoneOf } from './report';
import type { useReport } from './useReport';

/** The words for measures, by what is counted; without what a measure of numbers or a ratio is of. */
export function useMeasureWords(count: string): (measure: Worded) => string {
  const { t } = useTranslation();
  const { name, units } = useUnits(count);
  return (measure) => {
    if (count !== '' && measure === 'u') return name;
    if (count !== '' && measure === 'per_user') return t('trends.perUnit', { unit: units(1) });
    if (count !== '' && measure === 'ratio_u') return t('trends.unitsDivided', { units: name });
    return isOf(measure) ? t(`trends.number.${measure}`) : t(`trends.measure.${measure}`);
  };
}

/** What measures are called. */
export function useMeasureName(fields: readonly Field[], nameOf: (event: string) => string, count: string): (measure: Measure) => string {
  const { t } = useTranslation();
  const words = useMeasureWords(count);
  return (measure) => {
    const [fn, of] = partsOf(measure);
    if (fn === undefined) return words(measure as Worded);
    const name = isRatio(measure) ? nameOf(of) : of === 's' ? t('trends.ofSum') : of === 'dur' ? t('trends.ofDuration') : (fields.find((f) => f.path === of)?.name ?? of);
    return t('trends.numberOf', { number: words(fn), of: name });
  };
}

/** What a filter says, as a sentence. */
export function useFilterWords(app: App, fields: readonly Field[]): (text: string) => string {
  const { t } = useTranslation();
  const format = useFormat();
  return (text) => {
    const group = fromWire(readFilter(text) ?? {}, (path) => fields.find((f) => f.path === path)?.kind ?? 'any');
    return group === undefined ? text : wordsOf(group, fields, t, format, app.timezone);
  };
}

/** What the figures of a report count. */
export function useDefinition(app: App, { report, view }: ReturnType<typeof useReport>, names: ReturnType<typeof useEventNames>, fields: readonly Field[]): (readonly [string, string])[] {
  const { t } = useTranslation();
  const format = useFormat();
  const { period, span, before } = useTime(app);
  const periodName = usePeriodText()(period);
  const measureName = useMeasureName(fields, names.nameOf, report.count);
  const words = useFilterWords(app, fields)(view.filter);
  const { measure, events, by } = report;
  const [fn] = partsOf(measure);
  const { name, units } = useUnits(report.count);
  return [
    [t('nav.events'), events.map(names.nameOf).join(', ')],
    [t('metric.measure'), measureName(measure)],
    [t('trends.def.means'), t(fn === undefined ? `trends.means.${measure as 't'}` : `trends.means.${fn}`, { name, units: units(2) })],
    [t('trends.filter'), words === '' ? '–' : words],
    [t('trends.by'), by.length === 0 ? '–' : by.map((path) => fields.find((f) => f.path === path)?.name ?? path).join(', ')],
    [t('filter.countBy'), unitsNamed(name, fields, report.count)],
    [t('trends.def.period'), `${periodName} (${format.days(span.from, span.to)})`],
    [t('trends.days'), report.days === 'user' ? t('trends.daysOf.user') : zoneOf(report.days, app.timezone)],
    ...(before === undefined ? [] : [[t('trends.def.against'), format.days(before.from, before.to)] as const]),
    [t('trends.def.exact'), t('trends.def.exactText')],
  ];
}
