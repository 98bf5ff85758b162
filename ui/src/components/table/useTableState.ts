import { useMemo, useState } from 'react';
import { useView } from '../../lib/useView';
import { untouched, type TableState } from './columns';

/** Says in the URL that every column is shown. */
const nothingHidden = '-';

interface Held {
  state: TableState;
  onState: (change: Partial<TableState>) => void;
}

/** The state of a page's table, held by the URL. Order and hidden columns are the given ones until others are chosen. */
export function useTableState(order = '', usuallyHidden = ''): Held {
  const [{ q, sort, page, hide }, set] = useView();
  return useMemo(() => {
    const hidden = hide === '' ? usuallyHidden : hide === nothingHidden ? '' : hide;
    return {
      state: { q, sort: sort === '' ? order : sort, page, hide: hidden },
      onState: (change: Partial<TableState>) => set(change.hide === '' && usuallyHidden !== '' ? { ...change, hide: nothingHidden } : change),
    };
  }, [q, sort, page, hide, order, usuallyHidden, set]);
}

/** The state of a table beside others, or in a dialog, which the URL does not hold. */
export function useOwnTableState(order = '', usuallyHidden = ''): Held {
  const [own, setOwn] = useState<TableState>({ ...untouched, hide: usuallyHidden });
  return useMemo(
    () => ({
      state: { ...own, sort: own.sort === '' ? order : own.sort },
      onState: (change: Partial<TableState>) => setOwn((before) => ({ ...before, ...change })),
    }),
    [own, order],
  );
}
