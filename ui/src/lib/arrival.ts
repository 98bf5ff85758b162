import { useSyncExternalStore } from 'react';

/** Brings people who have gone to another page to its heading, and says its title. */
export class Arrival {
  #coming = false;
  #said = '';
  readonly #listeners = new Set<() => void>();

  /** Someone has left a page for another one. */
  begin(): void {
    this.#coming = true;
  }

  /** The heading of a page is there. */
  at(heading: HTMLElement, title: string): void {
    if (!this.#coming) return;
    this.#coming = false;
    heading.focus({ preventScroll: true });
    this.#said = title;
    for (const listener of this.#listeners) listener();
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly said = () => this.#said;
}

export const arrival = new Arrival();

/** The title of the page that one has come to, to be read out. */
export function useArrival(): string {
  return useSyncExternalStore(arrival.subscribe, arrival.said);
}
