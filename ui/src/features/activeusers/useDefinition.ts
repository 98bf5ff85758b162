import { useTranslation } from 'react-i18next';
import { usePeriodText } from '../../components/time/PeriodPicker';
import { useFormat } from '../../i18n';
import { useTime } from '../../lib/useView';
import { useFilterWords } from '../../parts/trends/useDefinition';
import type { Shared } from './ActiveUsersPage';
import type { Report } from './api';

/** What the figures of active users count. */
export function useDefinition({ app, question, names, fields }: Shared, data: Report): (readonly [string, string])[] {
  const { t } = useTranslation();
  const format = useFormat();
  const { period, span } = useTime(app);
  const periodName = usePeriodText()(period);
  const words = useFilterWords(app, fields)(app.filter ?? '{}');
  return [
    [t('active.d'), t('active.def.d')],
    [t('active.w'), t('active.def.w')],
    [t('active.m'), t('active.def.m')],
    [t('active.stickiness'), t('active.def.stickiness')],
    [t('active.def.calendar'), t('active.def.calendarText')],
    ...(question.apps.length > 0
      ? [[t('app.together'), `${question.apps.map((a) => a.name).join(', ')}. ${t('active.appsHint')}`] as const]
      : [[t('active.with'), question.events.map(names.nameOf).join(', ')] as const, [t('metric.filter'), words === '' ? '–' : words] as const]),
    [t('retention.def.period'), `${periodName} (${format.days(span.from, span.to)}), ${app.timezone}`],
    [t('retention.def.exact'), t(data.source === 'cells' ? 'retention.def.exactDays' : 'retention.def.exactEvents')],
  ];
}
