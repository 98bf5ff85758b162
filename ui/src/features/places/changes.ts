import { useMutation, useQueryClient } from '@tanstack/react-query';
import { write } from '../../api/client';
import type { Unit } from './api';

export interface PlaceFields {
  title: string;
  radius: number;
  unit: Unit;
  lat: number;
  lng: number;
  /** Whether it is of all apps. */
  everywhere: boolean;
}

export function useCreatePlace(appID: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ title, radius, unit, lat, lng, everywhere }: PlaceFields) =>
      write('/i/geolocations/create', {
        app_id: appID,
        args: { title, radius, unit, geo: { type: 'Point', coordinates: [lng, lat] }, ...(everywhere ? {} : { app: appID }) },
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['places'] }),
  });
}

export function useDeletePlace(appID: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (gid: string) => write('/i/geolocations/delete', { app_id: appID, gid }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['places'] }),
  });
}
