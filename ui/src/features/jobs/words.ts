import type { TFunction } from 'i18next';
import type { Format } from '../../lib/format';

const units: Record<string, number> = { h: 3600, m: 60, s: 1, ms: 0.001 };

/** The seconds of a duration such as 1h30m0s; undefined for another text. */
export function secondsOf(text: string): number | undefined {
  if (!/^([\d.]+(h|ms|m|s))+$/.test(text)) return undefined;
  return [...text.matchAll(/([\d.]+)(h|ms|m|s)/g)].reduce((sum, [, n, unit = '']) => sum + Number(n) * (units[unit] ?? 0), 0);
}

/** When a job runs, in words: the schedule of the wire is "every 1h0m0s". */
export function scheduleText(t: TFunction, format: Format, schedule: string): string {
  const seconds = secondsOf(schedule.replace(/^every /, ''));
  switch (seconds) {
    case undefined:
      return schedule;
    case 60:
      return t('jobs.every.minute');
    case 3600:
      return t('jobs.every.hour');
    case 86_400:
      return t('jobs.every.day');
    default:
      return t('jobs.every.every', { time: format.duration(seconds) });
  }
}

/** What a job does, in words; one that has none is called by its name. */
export function jobText(t: TFunction, name: string): string {
  return t(`jobs.names.${name.replaceAll(/[:-]/g, '_') as 'api_task'}`, { defaultValue: name });
}
