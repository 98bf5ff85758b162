import type { Entry, FeedPart } from './api';

/** How many entries are kept. */
export const most = 200;

/** The feed as it is shown. While it is paused, what comes waits. */
export interface Feed {
  /** The newest first. */
  shown: readonly Entry[];
  waiting: readonly Entry[];
  /** Requests that came and are neither shown nor waiting, since the page was opened or the feed last went on. */
  skipped: number;
  /** All that came since the page was opened. */
  seen: number;
  paused: boolean;
}

export const empty: Feed = { shown: [], waiting: [], skipped: 0, seen: 0, paused: false };

export type FeedAction = { do: 'add'; part: FeedPart } | { do: 'pause' } | { do: 'resume' };

/** What becomes of a feed. */
export function next(feed: Feed, action: FeedAction): Feed {
  switch (action.do) {
    case 'add': {
      const { entries, skipped = 0, past = false } = action.part;
      const list = feed.paused ? feed.waiting : feed.shown;
      const known = new Set([...feed.waiting, ...feed.shown].map((e) => e.id));
      const added = entries.filter((e) => !known.has(e.id)).reverse();
      const merged = [...added, ...list];
      const kept = merged.slice(0, most);
      const changed = { seen: feed.seen + (past ? 0 : added.length) + skipped, skipped: feed.skipped + skipped };
      return feed.paused
        ? { ...feed, ...changed, waiting: kept, skipped: changed.skipped + merged.length - kept.length }
        : { ...feed, ...changed, shown: kept };
    }
    case 'pause':
      return { ...feed, paused: true };
    case 'resume':
      return { ...feed, paused: false, waiting: [], shown: [...feed.waiting, ...feed.shown].slice(0, most) };
  }
}

/** The entries whose texts hold every word that is looked for. */
export function matching(entries: readonly Entry[], q: string, textOf: (e: Entry) => string): readonly Entry[] {
  const words = q.toLocaleLowerCase().split(/\s+/).filter((w) => w !== '');
  if (words.length === 0) return entries;
  return entries.filter((e) => {
    const text = textOf(e).toLocaleLowerCase();
    return words.every((w) => text.includes(w));
  });
}
