import type { TFunction } from 'i18next';

/** Why something was dropped, in words; a reason that has none is written as its name reads. */
export function reasonText(t: TFunction, reason: string): string {
  return t(`ingestion.reasons.${reason as 'duplicate'}`, { defaultValue: reason.replaceAll('_', ' ') });
}
