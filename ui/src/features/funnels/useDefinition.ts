import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import type { Field } from '../../components/filter/field';
import { unitsNamed, useUnits } from '../../components/filter/useUnits';
import { usePeriodText } from '../../components/time/PeriodPicker';
import { useFormat } from '../../i18n';
import { useTime } from '../../lib/useView';
import type { Single } from './api';

/** What the figures of a funnel count. */
export function useDefinition(app: App, { type, options, memberData }: Single, fields: readonly Field[], count = ''): (readonly [string, string])[] {
  const { t } = useTranslation();
  const format = useFormat();
  const { period, span } = useTime(app);
  const periodName = usePeriodText()(period);
  const units = unitsNamed(useUnits(count).name, fields, count);
  const { order = 'sequential', window, reentry } = options ?? {};
  return [
    [t('funnels.def.counts'), t('funnels.def.countsText', { units })],
    [t('funnels.order'), t(`funnels.orders.${order}`)],
    [t('funnels.window'), typeof window === 'number' ? format.duration(window) : t('funnels.def.noWindow')],
    [t('funnels.def.session'), t(type === 'same-session' ? 'funnels.sameSession' : 'funnels.def.anySession')],
    [t('funnels.repeat'), t(reentry === 'repeat' ? 'funnels.def.yes' : 'funnels.def.no')],
    [t('funnels.def.period'), `${periodName} (${format.days(span.from, span.to)}), ${app.timezone}`],
    [t('funnels.def.exact'), t('funnels.def.exactText')],
    ...(memberData === undefined ? [] : [[t('funnels.def.maker'), memberData.full_name] as const]),
  ];
}
