import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { stepParam, type Granularity } from '../../lib/granularity';
import { useTime } from '../../lib/useView';
import type { App } from '../../access/apps';
import { course as courseOfSessions, sums } from '../../parts/figures/api';
import { course, type Question } from '../../parts/trends/api';
import { crashKey } from './api';
import { within } from './figures';

/** What is asked of the crashes of an app: those that ended it, or errors that did not. */
export function useQuestion(app: App, nonfatal: boolean, bucket: string): Question {
  const { period, before } = useTime(app);
  return { event: crashKey, measure: 'sessions', filter: within(app.filter, { 'sg.nonfatal': String(nonfatal) }), by: [], period, bucket, before };
}

/** The crashes of the period over its steps, beside its sessions. */
export function useCrashes(app: App, step: Granularity) {
  const { period, against } = useTime(app);
  const bucket = stepParam(step);
  const fatal = useQuery({ ...course(app, useQuestion(app, false, bucket)), placeholderData: keepPreviousData });
  const other = useQuery({ ...course(app, useQuestion(app, true, bucket)), placeholderData: keepPreviousData });
  const sessions = useQuery({ ...courseOfSessions(app, period, step), placeholderData: keepPreviousData });
  const all = useQuery({ ...sums(app, period, against), placeholderData: keepPreviousData });
  return { bucket, fatal, other, sessions, all, error: fatal.error ?? other.error ?? sessions.error ?? all.error };
}
