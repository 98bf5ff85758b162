/** What happened in a minute. */
export interface Minute {
  sessions: number;
  events: number;
  new_users: number;
}

/** The figures of an app at a moment. */
export interface Tiles {
  /** In ms. */
  at: number;
  /** People with an open session and a sign of life lately. */
  online: number;
  /** People of whom something came within the minutes. */
  users: number;
  /** The oldest first; the last one goes on. */
  minutes: Minute[];
}

export interface FeedItem {
  key: string;
  count: number;
  sum?: number;
  dur?: number;
  segments?: [string, string][];
  more?: number;
}

/** A request that was recorded; what is unknown or not so is absent. */
export interface Entry {
  id: string;
  /** When it was received, in ms. */
  at: number;
  uid?: string;
  new?: boolean;
  begin?: boolean;
  end?: boolean;
  seconds?: number;
  crash?: boolean;
  consent?: boolean;
  person?: boolean;
  events?: FeedItem[];
  more?: number;
  country?: string;
  city?: string;
  device?: string;
  os?: string;
  browser?: string;
  version?: string;
}

export interface FeedPart {
  entries: Entry[];
  skipped?: number;
  /** They were recorded before the stream was opened. */
  past?: boolean;
}

/** The sum of a figure over the minutes. */
export function sumOf(tiles: Tiles, of: keyof Minute): number {
  return tiles.minutes.reduce((sum, m) => sum + m[of], 0);
}
