import * as v from '../../api/schema';

/** What happened in a minute. */
export const Minute = v.object({
  sessions: v.number(),
  events: v.number(),
  new_users: v.number(),
});
export type Minute = v.Of<typeof Minute>;

/** The figures of an app at a moment. */
export const Tiles = v.object({
  /** In ms. */
  at: v.number(),
  /** People with an open session and a sign of life lately. */
  online: v.number(),
  /** People of whom something came within the minutes. */
  users: v.number(),
  /** The oldest first; the last one goes on. */
  minutes: v.array(Minute),
});
export type Tiles = v.Of<typeof Tiles>;

export const FeedItem = v.object({
  key: v.string(),
  count: v.number(),
  sum: v.optional(v.number()),
  dur: v.optional(v.number()),
  segments: v.optional(v.array(v.tuple([v.string(), v.string()]))),
  more: v.optional(v.number()),
});
export type FeedItem = v.Of<typeof FeedItem>;

/** A request that was recorded; what is unknown or not so is absent. */
export const Entry = v.object({
  id: v.string(),
  /** When it was received, in ms. */
  at: v.number(),
  uid: v.optional(v.string()),
  new: v.optional(v.boolean()),
  begin: v.optional(v.boolean()),
  end: v.optional(v.boolean()),
  seconds: v.optional(v.number()),
  crash: v.optional(v.boolean()),
  consent: v.optional(v.boolean()),
  person: v.optional(v.boolean()),
  events: v.optional(v.array(FeedItem)),
  more: v.optional(v.number()),
  country: v.optional(v.string()),
  city: v.optional(v.string()),
  device: v.optional(v.string()),
  os: v.optional(v.string()),
  browser: v.optional(v.string()),
  version: v.optional(v.string()),
});
export type Entry = v.Of<typeof Entry>;

export const FeedPart = v.object({
  entries: v.array(Entry),
  skipped: v.optional(v.number()),
  /** They were recorded before the stream was opened. */
  past: v.optional(v.boolean()),
});
export type FeedPart = v.Of<typeof FeedPart>;

/** The sum of a figure over the minutes. */
export function sumOf(tiles: Tiles, of: keyof Minute): number {
  return tiles.minutes.reduce((sum, m) => sum + m[of], 0);
}
