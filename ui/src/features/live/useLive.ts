import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { heard, keepStream, type StreamState } from '../../lib/stream';
import { me } from '../../access/me';
import type { App } from '../../access/apps';
import { FeedPart, Tiles } from './api';

export interface Live {
  state: StreamState;
  tiles: Tiles | undefined;
  /** Opens the stream again after it was refused. */
  retry: () => void;
}

/** The live figures of an app; with onFeed, also what it records. */
export function useLive(app: App, onFeed?: (part: FeedPart) => void): Live {
  const queries = useQueryClient();
  const [state, setState] = useState<StreamState>({ is: 'connecting' });
  const [tiles, setTiles] = useState<Tiles>();
  const [attempt, setAttempt] = useState(0);
  const path = onFeed === undefined ? '/o/live/tiles' : '/o/live/feed';
  const fed = useEffectEvent((part: FeedPart) => onFeed?.(part));
  const changed = useEffectEvent((now: StreamState) => {
    setState(now);
    // Any read of a person who is signed out leads to signing in.
    if (now.is === 'over' && now.error.signedOut) void queries.invalidateQueries(me);
  });
  useEffect(
    () => keepStream(path, { app_id: app._id }, { onState: (s) => changed(s), on: { tiles: heard(Tiles, setTiles), feed: heard(FeedPart, (part) => fed(part)) } }),
    [path, app._id, attempt],
  );
  return { state, tiles, retry: () => setAttempt((n) => n + 1) };
}
