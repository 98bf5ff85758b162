import { useSyncExternalStore } from 'react';

export interface Toast {
  id: number;
  text: string;
  kind: 'done' | 'failed';
}

/** How long a message about something done stays, in ms; failures stay until they are closed. */
const stay = 5000;

/** Short messages about finished work, shown at the edge of the window. */
export class Toasts {
  #list: readonly Toast[] = [];
  #next = 1;
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly list = () => this.#list;

  show(text: string, kind: Toast['kind'] = 'done'): void {
    const id = this.#next++;
    this.#change([...this.#list.slice(-3), { id, text, kind }]);
    if (kind === 'done') setTimeout(() => this.close(id), stay);
  }

  close(id: number): void {
    this.#change(this.#list.filter((toast) => toast.id !== id));
  }

  #change(list: readonly Toast[]): void {
    this.#list = list;
    for (const listener of this.#listeners) listener();
  }
}

/** The messages of this window. */
export const toasts = new Toasts();

export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(toasts.subscribe, toasts.list);
}
