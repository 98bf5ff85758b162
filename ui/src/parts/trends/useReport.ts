import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { useView } from '../../lib/useView';
import type { View } from '../../lib/view';
import { reportOf, type Report } from './report';

/** A report that the address holds. */
interface Held {
  view: View;
  report: Report;
  /** Changes the report; going back undoes each change. */
  change: (part: Partial<View>) => void;
  /** Takes the last change back; absent when none was made here. */
  undo: (() => void) | undefined;
}

/** The report of the address, each change of which is a step of the history; only while a filter is written, steps are not kept apart. */
export function useReport(): Held {
  const [view] = useView();
  const navigate = useNavigate();
  const [made, setMade] = useState(0);
  const change = useCallback(
    (part: Partial<View>) => {
      const changes = (Object.keys(part) as (keyof View)[]).some((key) => part[key] !== view[key]);
      if (!changes) return;
      const writes = Object.keys(part).join() === 'filter' && part.filter !== '' && view.filter !== '';
      if (!writes) setMade((n) => n + 1);
      void navigate({ to: '.', search: (before: Partial<View>) => ({ ...before, ...part }), replace: writes, resetScroll: false });
    },
    [navigate, view],
  );
  const undo = () => {
    setMade((n) => n - 1);
    window.history.back();
  };
  return { view, report: useMemo(() => reportOf(view), [view]), change, undo: made > 0 ? undo : undefined };
}
