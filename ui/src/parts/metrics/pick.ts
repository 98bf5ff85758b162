import { withValue } from '../../lib/narrow';
import { other, type Dimension } from './definitions';

/** The properties of users, as filters have them, whose values dimensions are. */
const paths: Readonly<Record<Dimension, string>> = {
  platforms: 'up.p', os_versions: 'up.pv', devices: 'up.d', manufacturers: 'up.mnf', device_type: 'up.dt', resolutions: 'up.r', density: 'up.dnst', browser: 'up.brw',
  browser_version: 'up.brwv', carriers: 'up.c', app_versions: 'up.av', sdks: 'up.sdk', countries: 'up.cc', regions: 'up.rgn', cities: 'up.cty', langs: 'up.la', sources: 'up.src',
};

/** A filter, as JSON, narrowed to a value of a dimension, or without it where it was; all others together are no value. */
export function picked(filter: string, dimension: Dimension, value: string): string {
  return value === other ? filter : withValue(filter, paths[dimension], value);
}
