import type { App } from './apps';

const storageKey = 'quipu-app';

/** Remembers in this browser which app was open last. */
export function remember(appID: string): void {
  localStorage.setItem(storageKey, appID);
}

/** The app to open first: the last one, if it is still there. */
export function firstOf(apps: readonly App[]): App | undefined {
  const last = localStorage.getItem(storageKey);
  return apps.find((a) => a._id === last) ?? apps[0];
}
