import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { messageOf, type Params } from '../api/client';
import { fetchFile } from '../lib/file';
import { toasts } from './toasts';

/** Saves a file that the server makes, and says what became of it. True means that it is there, or on its way. */
export function useSaveFile(): (path: string, params: Params, onBytes?: (bytes: number) => void, signal?: AbortSignal) => Promise<boolean> {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return async (path, params, onBytes, signal) => {
    try {
      const got = await fetchFile(path, params, onBytes, signal);
      if ('task' in got) {
        toasts.show(t('save.task'));
        await queries.invalidateQueries({ queryKey: ['tasks'] });
      } else {
        toasts.show(t('save.saved', { name: got.saved }));
      }
      return true;
    } catch (error) {
      if (signal?.aborted === true) return false;
      toasts.show(messageOf(error), 'failed');
      return false;
    }
  };
}
