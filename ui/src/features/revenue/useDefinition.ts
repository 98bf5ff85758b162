import { useTranslation } from 'react-i18next';
import { usePeriodText } from '../../components/time/PeriodPicker';
import { useFormat } from '../../i18n';
import { useTime } from '../../lib/useView';
import { useFilterWords } from '../../parts/trends/useDefinition';
import type { Shared } from './Controls';
import { main, type Measure } from './figures';

type Fields = (readonly [string, string])[];

/** What the figures of a report count; those that are shown, or all. */
export function useReportDefinition(shared: Shared): Fields {
  const { t } = useTranslation();
  const asked = useAsked(shared);
  const shown: Measure[] = [...main, 'paying_percent', 'users', 'refunds'];
  return [...asked.what, ...shown.map((m) => [t(`revenue.measure.${m}`), t(`revenue.means.${m}`)] as const), ...asked.when];
}

/** What lifetimes count. */
export function useLifetimeDefinition(shared: Shared): Fields {
  const { t } = useTranslation();
  const asked = useAsked(shared);
  return [
    ...asked.what,
    [t('revenue.def.firstSeen'), t('revenue.def.firstSeenText')],
    [t('revenue.def.age'), t('revenue.def.ageText')],
    [t('revenue.ltv'), t('revenue.def.ltvText')],
    [t('revenue.def.paid'), t('revenue.def.paidText')],
    ...asked.when,
  ];
}

function useAsked({ app, question, events, names, fields }: Shared): { what: Fields; when: Fields } {
  const { t } = useTranslation();
  const format = useFormat();
  const { period, span, before } = useTime(app);
  const name = usePeriodText()(period);
  const words = useFilterWords(app, fields)(app.filter ?? '{}');
  const { by } = question;
  return {
    what: [
      [t('revenue.purchases'), events.map(names.nameOf).join(', ')],
      [t('metric.filter'), words === '' ? '–' : words],
      [t('revenue.by'), by === '' ? '–' : (fields.find((f) => f.path === by)?.name ?? by)],
    ],
    when: [
      [t('revenue.def.period'), `${name} (${format.days(span.from, span.to)}), ${app.timezone}`],
      ...(before === undefined ? [] : [[t('revenue.def.against'), format.days(before.from, before.to)] as const]),
      [t('revenue.def.without'), t('revenue.def.withoutText')],
      [t('revenue.def.exact'), t('revenue.def.exactText')],
    ],
  };
}
