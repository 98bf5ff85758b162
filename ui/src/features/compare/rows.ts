import type { App } from '../../access/apps';
import type { Compared } from '../../lib/change';
import type { Sums } from '../../parts/figures/api';

/** How many apps stand side by side. */
export const mostApps = 20;

/** How many of them are drawn at once, and how many until some are chosen. */
export const mostDrawn = 6;
export const usuallyDrawn = 3;

/** An app with what its period comes to, and the parts of it and of the period before that can be compared. */
export interface AppRow {
  app: App;
  sums: Compared<Sums>;
}

/** The apps that an address chooses, by their ids with commas; what is unknown, repeated or too much is left out. */
export function chosenOf(text: string, apps: readonly App[]): App[] {
  const found = text.split(',').flatMap((id) => apps.find((a) => a._id === id) ?? []);
  return [...new Set(found)].slice(0, mostDrawn);
}
