import type { Circle } from '../../components/chart/spec';
import { units, type Place, type Unit } from './api';

/** A place while it is filled in. */
export interface Draft {
  title: string;
  radius: number | string;
  unit: Unit;
  lat: number | string;
  lng: number | string;
  everywhere: boolean;
}

export const empty: Draft = { title: '', radius: 10, unit: 'km', lat: '', lng: '', everywhere: false };

/** The largest radius, in km: half the way around the globe. */
const most = 20_037.5;

/** The circle of a draft, once it is one. */
export function circleOf({ title, radius, unit, lat, lng }: Draft): Circle | undefined {
  if (typeof radius !== 'number' || typeof lat !== 'number' || typeof lng !== 'number') return undefined;
  const km = radius * units[unit];
  if (!(km > 0 && km <= most && Math.abs(lat) <= 90 && Math.abs(lng) <= 180)) return undefined;
  return { name: title.trim(), lat, lng, km, draft: true };
}

/** The circle of a place. */
export function circleAt({ title, radius, unit, geo: { coordinates: [lng, lat] } }: Place): Circle {
  return { name: title, lat, lng, km: radius * units[unit] };
}

/** A point as people write it: degrees with four decimals, about ten metres. */
export const rounded = (degrees: number) => Math.round(degrees * 1e4) / 1e4;
