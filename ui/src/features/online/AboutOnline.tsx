import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { Definition } from '../../components/Definition';
import { paramsOf } from './api';

/** The sign behind which figures of people online are explained. Window is after how many seconds without a sign of life people are offline. */
export function AboutOnline({ apps, window, what }: { apps: readonly [App, ...App[]]; window: number; what: string }) {
  const { t } = useTranslation();
  return (
    <Definition
      what={what}
      path="/o/concurrent_users"
      params={paramsOf(apps)}
      fields={[
        [t('online.now'), t('online.def.now', { count: Math.round(window / 60) })],
        [t('online.new'), t('online.def.new')],
        [t('online.most'), t('online.def.most')],
        ...(apps.length > 1 ? [[t('app.together'), t('online.def.together')] as [string, string]] : []),
        [t('retention.def.period'), t('online.def.zone', { zone: apps[0].timezone })],
      ]}
    />
  );
}
