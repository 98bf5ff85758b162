import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { useView } from '../../lib/useView';
import type { View } from '../../lib/view';
import { draftOf, searchOf, type Draft } from './draft';

/** A flow that the address holds. */
interface Held {
  draft: Draft;
  /** Changes the flow; going back undoes each change. */
  change: (part: Partial<Draft>) => void;
  /** Takes the last change back; absent when none was made here. */
  undo: (() => void) | undefined;
}

/** The flow of the address, each change of which is a step of the history; only while a filter is written, steps are not kept apart. */
export function useFlow(): Held {
  const [view] = useView();
  const navigate = useNavigate();
  const [made, setMade] = useState(0);
  const draft = useMemo(() => draftOf(view), [view]);
  const change = useCallback(
    (part: Partial<Draft>) => {
      const next = searchOf({ ...draft, ...part });
      const now = searchOf(draft);
      const changed = (Object.keys(next) as (keyof typeof next)[]).filter((key) => next[key] !== now[key]);
      if (changed.length === 0) return;
      const writes = changed.join() === 'filter' && next.filter !== '' && now.filter !== '';
      if (!writes) setMade((n) => n + 1);
      void navigate({ to: '.', search: (before: Partial<View>) => ({ ...before, ...next }), replace: writes, resetScroll: false });
    },
    [navigate, draft],
  );
  const undo = () => {
    setMade((n) => n - 1);
    window.history.back();
  };
  return { draft, change, undo: made > 0 ? undo : undefined };
}
