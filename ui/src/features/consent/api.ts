import { byField, type Listing } from '../../components/table/listing';
import * as v from '../../api/schema';

/** A change of what a person consents to. */
export const ConsentChange = v.object({
  _id: v.string(),
  device_id: v.string(),
  uid: v.string(),
  /** Ms. */
  ts: v.number(),
  /** "i" for given, "o" for withdrawn, or both. */
  type: v.union([v.string(), v.array(v.string())]),
  change: v.record(v.fallback(v.boolean(), false)),
});
export type ConsentChange = v.Of<typeof ConsentChange>;

/** A person with what it consents to. Time in seconds. */
export const Consenting = v.object({
  _id: v.string(),
  uid: v.string(),
  did: v.string(),
  name: v.optional(v.text),
  lac: v.optional(v.number()),
  consent: v.optional(v.record(v.fallback(v.boolean(), false))),
});
export type Consenting = v.Of<typeof Consenting>;

/** What SDKs ask consent for. */
export const features = [
  'sessions', 'events', 'views', 'users', 'crashes', 'location', 'attribution', 'push', 'star-rating', 'feedback', 'apm', 'remote-config', 'scrolls', 'clicks', 'forms', 'content',
] as const;

/** The history of consent of an app, narrowed to a feature, given or withdrawn. */
export function consentHistory(appID: string, { feature, given }: { feature?: string; given?: string }): Listing<ConsentChange> {
  return {
    key: ['consent', 'history'],
    path: '/o/consent/search',
    params: { app_id: appID, query: historyFilter({ ...(feature === undefined ? {} : { feature }), ...(given === undefined ? {} : { given }) }) },
    row: ConsentChange,
    order: byField,
    most: 1000,
  };
}

/** The filter of the wire for changes of a feature, or of any. */
export function historyFilter({ feature, given }: { feature?: string; given?: string }): object {
  if (feature === undefined) return given === undefined ? {} : { type: given === 'yes' ? 'i' : 'o' };
  return { [`change.${feature}`]: given === undefined ? { $exists: true } : given === 'yes' };
}

/** The people of an app with what they consent to now. */
export function consentNow(appID: string, { feature, given }: { feature?: string; given?: string }): Listing<Consenting> {
  return {
    key: ['consent', 'now'],
    path: '/o/app_users/consents',
    params: {
      app_id: appID,
      project: { uid: 1, did: 1, name: 1, lac: 1, consent: 1 },
      query: feature === undefined ? undefined : { [`consent.${feature}`]: given === undefined ? { $exists: true } : given === 'yes' },
    },
    row: Consenting,
    order: byField,
    most: 1000,
  };
}

/** The features of a consent, those given and those withdrawn, by name. */
export function sides(consent: Record<string, boolean> | undefined): { given: string[]; withdrawn: string[] } {
  const all = Object.entries(consent ?? {}).sort(([a], [b]) => a.localeCompare(b));
  return { given: all.filter(([, on]) => on).map(([f]) => f), withdrawn: all.filter(([, on]) => !on).map(([f]) => f) };
}
