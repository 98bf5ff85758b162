import { useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { useCurrentApp } from '../../access/useCurrentApp';

/** In which time zone a page tells times: that of the app it is about, else that of the reader; and what to call it. Empty until it is known. */
export function useZone(): { zone: string; label: string; app?: App | undefined } {
  const { t } = useTranslation();
  const { appId } = useParams({ strict: false });
  const { app } = useCurrentApp();
  if (appId !== undefined) return { zone: app?.timezone ?? '', label: t('app.zone'), app };
  return { zone: new Intl.DateTimeFormat().resolvedOptions().timeZone, label: t('app.ownZone') };
}
