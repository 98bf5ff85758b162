import { useMemo } from 'react';
import { useOnly } from '../../lib/useView';
import type { Cut } from '../../parts/views/api';

/** What the views of the page are cut by, which the URL holds. */
export function useCut(): Cut {
  const [only] = useOnly();
  const { segment = '', value = '' } = only;
  return useMemo(() => (value === '' ? { segment: '', value: '' } : { segment, value }), [segment, value]);
}
