import { useMutation, useQueryClient } from '@tanstack/react-query';
import { write } from '../../api/client';

export interface NoteFields {
  _id?: string;
  note: string;
  ts: number;
  noteType: 'public' | 'private';
}

/** Saves a note: a new one, or a change of one. */
export function useSaveNote(appID: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (note: NoteFields) => write('/i/notes/save', { args: { app_id: appID, ...note } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['notes', appID] }),
  });
}

export function useDeleteNote(appID: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => write('/i/notes/delete', { app_id: appID, note_id: id }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['notes', appID] }),
  });
}
