import { nameOf } from '../../parts/metrics/definitions';

interface Choice {
  value: string;
  label: string;
}

/** The time zones that the browser knows, with UTC, which some leave out, and how far each is from it now. */
export function zones(present: string): Choice[] {
  const all = [...new Set([present, 'UTC', ...Intl.supportedValuesOf('timeZone')])].sort();
  return all.map((value) => ({ value, label: zoneLabel(value) }));
}

/** A zone as people read it: Europe/Berlin (GMT+1). */
export function zoneLabel(zone: string): string {
  return `${zone.replaceAll('_', ' ')} (${distance(zone)})`;
}

function distance(zone: string): string {
  try {
    const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'shortOffset' }).formatToParts(new Date());
    return parts.find((p) => p.type === 'timeZoneName')?.value ?? zone;
  } catch {
    return zone; // a zone that this browser does not know
  }
}

/** The country that the browser's language speaks of. */
export function here(): string | null {
  return new Intl.Locale(navigator.language).maximize().region ?? null;
}

const letters = Array.from({ length: 26 }, (_, i) => String.fromCharCode(65 + i));

/** The countries that the browser knows by name, in order of the language. */
export function countries(lang: string): Choice[] {
  const name = nameOf(lang, 'region');
  const noCountries = new Set(['EU', 'EZ', 'UN', 'QO', 'ZZ', 'XA', 'XB', 'AC', 'CP', 'DG', 'EA', 'IC', 'TA', 'CQ', 'XK']);
  const gone = /^(AN|BU|CS|DD|DY|FX|HV|NH|NT|RH|SU|TP|UK|VD|YD|YU|ZR)$/;
  return letters
    .flatMap((a) => letters.map((b) => a + b))
    .filter((code) => !noCountries.has(code) && !gone.test(code))
    .flatMap((value) => {
      const label = name(value);
      return label === value ? [] : [{ value, label }];
    })
    .sort((a, b) => a.label.localeCompare(b.label, lang));
}
