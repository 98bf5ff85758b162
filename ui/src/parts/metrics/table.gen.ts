// Written by go test ./internal/model -update from the table in internal/model/dimension.go. DO NOT EDIT.

/**
 * What sessions and users are broken down by, by the name where the API names a metric: the key of a profile's field and of the property
 * up.<key> of events, and whether values hold a colon where people read a dot.
 */
export const table = {
  countries: { key: 'cc', encoded: false },
  cities: { key: 'cty', encoded: false },
  platforms: { key: 'p', encoded: false },
  os_versions: { key: 'pv', encoded: true },
  devices: { key: 'd', encoded: false },
  device_type: { key: 'dt', encoded: false },
  manufacturers: { key: 'mnf', encoded: false },
  resolutions: { key: 'r', encoded: false },
  density: { key: 'dnst', encoded: false },
  carriers: { key: 'c', encoded: false },
  app_versions: { key: 'av', encoded: true },
  langs: { key: 'la', encoded: false },
  browser: { key: 'brw', encoded: false },
  browser_version: { key: 'brwv', encoded: true },
  sources: { key: 'src', encoded: false },
  sdks: { key: 'sdk', encoded: true },
  regions: { key: 'rgn', encoded: false },
} as const;
