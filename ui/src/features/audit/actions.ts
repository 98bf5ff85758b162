import type { TFunction } from 'i18next';

/** What was done, in words; an action that has none is written as its name reads. */
export function actionText(t: TFunction, action: string): string {
  const read = action.replaceAll(/[_-]+/g, ' ').trim();
  return t(`audit.actions.${action as 'views'}`, { defaultValue: read.charAt(0).toUpperCase() + read.slice(1) });
}
