import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { Definition } from '../../components/Definition';

/** The sign behind which figures of people online are explained. Window is after how many seconds without a sign of life people are offline. */
export function AboutOnline({ app, window, what }: { app: App; window: number; what: string }) {
  const { t } = useTranslation();
  return (
    <Definition
      what={what}
      path="/o/concurrent_users"
      params={{ app_id: app._id }}
      fields={[
        [t('online.now'), t('online.def.now', { count: Math.round(window / 60) })],
        [t('online.new'), t('online.def.new')],
        [t('online.most'), t('online.def.most')],
        [t('retention.def.period'), t('online.def.zone', { zone: app.timezone })],
      ]}
    />
  );
}
