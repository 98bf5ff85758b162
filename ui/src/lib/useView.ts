import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import type { App } from '../features/apps/api';
import { compared, parsePeriod, spanOf, type Period, type Span } from './period';
import type { View } from './view';

/** The view that the URL holds, and how to change it. Changes replace the address: going back leaves the page. */
export function useView(): [View, (change: Partial<View>) => void] {
  const view = useSearch({ from: '/apps/$appId' });
  const navigate = useNavigate();
  const set = useCallback(
    (change: Partial<View>) =>
      void navigate({ to: '.', search: (before) => ({ ...before, ...change }), replace: true, resetScroll: false }),
    [navigate],
  );
  return [view, set];
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
