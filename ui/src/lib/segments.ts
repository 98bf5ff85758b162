/** The key of the event that reports a view. */
export const viewKey = '[CLY]_view';

/** Segments by which SDKs tell that an item is a view and how it came, beside those that people send. */
const ofViews: ReadonlySet<string> = new Set(['name', 'view', 'visit', 'start', 'exit', 'bounce', 'dur']);

/** The key of events that say what people consent to. */
const consentKey = '[CLY]_consent';

/** Whether a segment of an event tells more than the event itself does. */
export function isTelling(key: string, segment: string): boolean {
  return key === viewKey ? !ofViews.has(segment) : !(key === consentKey && segment === '_type');
}
