import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { base } from './base';

/** How it stands between this window and its server. */
export interface Reach {
  /** When the server is asked again, in ms since 1970; undefined while it answers. */
  next: number | undefined;
  /** Whether the server has another dashboard by now than the one that runs here. */
  newer: boolean;
}

/** How long to wait before the n-th try in a row, in ms. */
export function pauseBefore(attempt: number): number {
  return Math.min(30_000, 2000 * 2 ** Math.min(attempt, 4));
}

interface Surroundings {
  /** Asks the server for a sign of life. */
  ping: () => Promise<boolean>;
  /** Called with false when the server went away, and with true when it is back. */
  onChange: (there: boolean) => void;
  now: () => number;
}

/** Notices that the server does not answer, asks it again, longer and longer apart, and tells when it is back. */
export class ServerWatch {
  #state: Reach = { next: undefined, newer: false };
  #attempt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #listeners = new Set<() => void>();

  constructor(private readonly around: Surroundings) {}

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = () => this.#state;

  /** A request had no answer. */
  lost(): void {
    if (this.#timer !== undefined) return;
    this.around.onChange(false);
    this.#plan();
  }

  /** A request had an answer. */
  answered(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#attempt = 0;
    this.#set({ ...this.#state, next: undefined });
    this.around.onChange(true);
  }

  /** Asks at once, and not at the planned time. */
  readonly retry = async (): Promise<void> => {
    clearTimeout(this.#timer);
    if (await this.around.ping().catch(() => false)) this.answered();
    else this.#plan();
  };

  /** An answer said which dashboard the server has; ours is the one that this page was built as. */
  built(theirs: string | null, ours: string): void {
    const newer = theirs !== null && theirs !== '' && ours !== '' && theirs !== ours;
    if (newer !== this.#state.newer) this.#set({ ...this.#state, newer });
  }

  #plan(): void {
    const pause = pauseBefore(this.#attempt++);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.retry(), pause);
    this.#set({ ...this.#state, next: this.around.now() + pause });
  }

  #set(state: Reach): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

/** The watch of this window. While the server is away, queries wait instead of failing. */
export const serverWatch = new ServerWatch({
  ping: async () => (await fetch(`${base}/o/ping`, { cache: 'no-store' })).ok,
  onChange: (there) => onlineManager.setOnline(there),
  now: Date.now,
});

export function useReach(): Reach {
  return useSyncExternalStore(serverWatch.subscribe, serverWatch.state);
}
