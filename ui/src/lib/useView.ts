import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo } from 'react';
import type { App } from '../access/apps';
import { wholeDays } from './change';
import { compared, parsePeriod, spanOf, today, type Period, type Span } from './period';
import { carried, isStep, making, parseOnly, parseView, whole, withOnly, type View } from './view';

/** The view that the URL holds, and how to change it. Going back undoes a change of the time; other changes replace the address. */
export function useView(): [View, (change: Partial<View>) => void] {
  const raw = useSearch({ strict: false });
  const view = useMemo(() => parseView(raw), [raw]);
  const navigate = useNavigate();
  const set = useCallback(
    (change: Partial<View>) =>
      void navigate({ to: '.', search: (before: Partial<View>) => ({ ...before, ...whole(change) }), replace: !isStep(change), resetScroll: false }),
    [navigate],
  );
  return [view, set];
}

/** The app as the filter of the view narrows it: what is read of it is of that part. */
export function useFiltered(app: App): App {
  const [{ filter }] = useView();
  return useMemo(() => (filter === '' ? app : { ...app, filter }), [app, filter]);
}

const storageKey = 'quipu-time';

/** The time that was chosen last in this window. */
function lastTime(): ReturnType<typeof carried> {
  const raw: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? '{}');
  return carried(parseView(typeof raw === 'object' && raw !== null ? raw : {}));
}

/** What links to pages of an app take along: the time of this page, or on a page that is about none the last one. */
export function useCarried(): ReturnType<typeof carried> {
  const { appId } = useParams({ strict: false });
  const raw = useSearch({ strict: false });
  const time = useMemo(() => (appId === undefined ? lastTime() : carried(parseView(raw))), [appId, raw]);
  useEffect(() => {
    if (appId !== undefined) sessionStorage.setItem(storageKey, JSON.stringify(time));
  }, [appId, time]);
  return time;
}

/** What the list of the view is narrowed to, and how to change a part of it. */
export function useOnly(): [Record<string, string>, (key: string, value: string) => void] {
  const [{ only }, set] = useView();
  const change = useCallback((key: string, value: string) => set({ only: withOnly(only, key, value), page: 1 }), [only, set]);
  return [useMemo(() => parseOnly(only), [only]), change];
}

/** Whether the form that makes something new is open, which the URL tells so that commands lead to it; and how to change it. */
export function useMaking(): [boolean, (on: boolean) => void] {
  const [{ open }, set] = useView();
  return [open === making, useCallback((on: boolean) => set({ open: on ? making : '' }), [set])];
}

/** The time that a page is about. */
export interface Time {
  period: Period;
  span: Span;
  /** The days compared with, if any. */
  before: Span | undefined;
  /** The days that changes are against: those compared with, else the period before. */
  against: Span;
}

/** The period of the view with its days in the app's zone. */
export function useTime(app: App): Time {
  const [{ period, compare, match }] = useView();
  return useMemo(() => {
    const parsed = parsePeriod(period);
    const span = spanOf(parsed, app.timezone);
    const before = compared(parsed, span, compare, match);
    return { period: parsed, span, before, against: before ?? compared(parsed, span, 'previous', 'date') ?? span };
  }, [period, compare, match, app.timezone]);
}

/** What can be compared where figures are kept by the day, while a comparison is chosen; nothing of today alone. */
export function useWholeDays(app: App): { parts: ReturnType<typeof wholeDays>; asked: boolean } {
  const { span, before } = useTime(app);
  return useMemo(
    () => ({ parts: before && wholeDays(span, before, today(app.timezone)), asked: before !== undefined }),
    [span, before, app.timezone],
  );
}
