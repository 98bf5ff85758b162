import type { Preset } from '../lib/period';
import { entries } from './menu';

/** What a key does. */
export type Command =
  | { do: 'palette' | 'sheet' | 'search' | 'compare' | 'earlier' | 'later' | 'copy' }
  | { do: 'period'; preset: Preset }
  | { do: 'page'; id: string };

/** Single keys, and those after "g". */
export const singleKeys: Readonly<Record<string, Command>> = {
  '?': { do: 'sheet' },
  '/': { do: 'search' },
  d: { do: 'period', preset: 'today' },
  y: { do: 'period', preset: 'yesterday' },
  w: { do: 'period', preset: '7days' },
  m: { do: 'period', preset: '30days' },
  q: { do: 'period', preset: '90days' },
  a: { do: 'period', preset: 'month' },
  x: { do: 'compare' },
  l: { do: 'copy' },
  ArrowLeft: { do: 'earlier' },
  ArrowRight: { do: 'later' },
};

export const pageKeys: Readonly<Record<string, Command>> = Object.fromEntries(
  entries.flatMap(({ id, key }) => (key === undefined ? [] : [[key, { do: 'page', id } as const]])),
);

interface Press {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  /** Whether the key goes into a field or works a control. */
  typing: boolean;
}

/** Reads keys one after the other. Single keys can be switched off; the palette's cannot, as it needs Ctrl or Cmd. */
export class Keys {
  #afterG = false;

  press({ key, ctrlKey, metaKey, altKey, typing }: Press, singles: boolean): Command | undefined {
    const g = this.#afterG;
    this.#afterG = false;
    if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'k') return { do: 'palette' };
    if (ctrlKey || metaKey || altKey || typing || !singles) return undefined;
    if (g) return pageKeys[key];
    if (key === 'g') this.#afterG = true;
    return Object.hasOwn(singleKeys, key) ? singleKeys[key] : undefined;
  }
}

const storageKey = 'quipu-single-keys';

/** Whether single keys are commands; people who dictate or slip may switch them off. */
export function singleKeysOn(): boolean {
  return localStorage.getItem(storageKey) !== 'off';
}

export function switchSingleKeys(on: boolean): void {
  localStorage.setItem(storageKey, on ? 'on' : 'off');
}
