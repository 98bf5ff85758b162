import { useMemo } from 'react';
import { useView } from '../../lib/useView';
import type { EventRow } from '../../parts/events/api';
import { figuresOf, parseEventFigure, type EventFigure } from '../../parts/events/figures';

/** The figures that events have, and the one that is chosen of them. */
export function useEventFigure(rows: readonly EventRow[]): { have: EventFigure[]; figure: EventFigure } {
  const [view] = useView();
  return useMemo(() => {
    const have = figuresOf(rows);
    const wanted = parseEventFigure(view.figure);
    return { have, figure: have.includes(wanted) ? wanted : 'c' };
  }, [rows, view.figure]);
}
