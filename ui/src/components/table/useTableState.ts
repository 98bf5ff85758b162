import { useMemo } from 'react';
import { useView } from '../../lib/useView';
import type { TableState } from './columns';

/** Says in the URL that every column is shown. */
const nothingHidden = '-';

/** The state of a page's table, held by the URL. Order and hidden columns are the given ones until others are chosen. */
export function useTableState(order = '', usuallyHidden = ''): { state: TableState; onState: (change: Partial<TableState>) => void } {
  const [{ q, sort, page, hide }, set] = useView();
  return useMemo(() => {
    const hidden = hide === '' ? usuallyHidden : hide === nothingHidden ? '' : hide;
    return {
      state: { q, sort: sort === '' ? order : sort, page, hide: hidden },
      onState: (change: Partial<TableState>) => set(change.hide === '' && usuallyHidden !== '' ? { ...change, hide: nothingHidden } : change),
    };
  }, [q, sort, page, hide, order, usuallyHidden, set]);
}
