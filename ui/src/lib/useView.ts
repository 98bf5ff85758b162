import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import type { App } from '../features/apps/api';
import { compared, parsePeriod, spanOf, type Period, type Span } from './period';
import { parseOnly, parseView, withOnly, type View } from './view';

/** The view that the URL holds, and how to change it. Changes replace the address: going back leaves the page. */
export function useView(): [View, (change: Partial<View>) => void] {
  const raw = useSearch({ strict: false });
  const view = useMemo(() => parseView(raw), [raw]);
  const navigate = useNavigate();
  const set = useCallback(
    (change: Partial<View>) =>
      void navigate({ to: '.', search: (before: Partial<View>) => ({ ...before, ...change }), replace: true, resetScroll: false }),
    [navigate],
  );
  return [view, set];
}

/** What is open where something new is made. */
export const making = 'new';

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
}

/** The period of the view with its days in the app's zone. */
export function useTime(app: App): Time {
  const [{ period, compare, match }] = useView();
  return useMemo(() => {
    const parsed = parsePeriod(period);
    const span = spanOf(parsed, app.timezone, new Date());
    return { period: parsed, span, before: compared(span, compare, match) };
  }, [period, compare, match, app.timezone]);
}
