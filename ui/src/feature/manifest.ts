import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import type { View } from '../lib/view';
import type { Access } from './access';

/** The areas of the menu, from top to bottom. */
export const areas = ['figures', 'analysis', 'people', 'technology', 'app', 'server'] as const;
export type Area = (typeof areas)[number];

type Icon = ComponentType<{ size?: number }>;

/** A route as the shell needs it: where it is. */
export interface Place {
  readonly fullPath: string;
}

/** What the menu and the palette list of a feature. Label is the key of a text. */
interface Listed<Label> {
  id: string;
  label: Label;
  route: Place;
  access: Access;
}

/** A page as the menu and the palette list it. */
export interface Entry<Label = string> extends Listed<Label> {
  icon: Icon;
  area: Area;
  /** The key that opens it after "g". */
  key?: string;
}

/** Something that the palette begins: it leads to a page, with a search. */
export interface Start<Label = string> extends Listed<Label> {
  search?: Readonly<Record<string, string>>;
}

/** Something of an app that the palette finds by its name. */
export interface Found {
  label: string;
  /** Other texts that it is found by, such as an e-mail address. */
  words?: readonly string[];
  /** The route of its page with the parameters beside the app, and what its address holds beside the time. */
  route: Place;
  params?: Readonly<Record<string, string>>;
  search?: Partial<View>;
}

/** What the palette finds of a feature in an app. Group is the key of a text. */
export interface Finder<Group = string> {
  id: string;
  group: Group;
  icon: Icon;
  access: Access;
  /** All that there is in an app, from what queries has or reads. */
  find?: (appID: string, queries: QueryClient) => Promise<Found[]>;
  /** What the server finds for a text, where there may be too much to list. */
  ask?: (appID: string, queries: QueryClient, text: string) => Promise<Found[]>;
}

/** A part of the bar at the top. It loads by itself, and is there where one may use it in the app. */
export interface BarPart {
  id: string;
  access: Access;
  part: ComponentType<{ appID: string }>;
}

/**
 * All that the dashboard knows of a feature: its folder exports one. The router, the menu, the palette, the keys and the bar are
 * built from the list of them (features/index.ts). A manifest is part of the first script, so it names its pages by import(). What is
 * needed later lies beside it: the texts in en.json and de.json, and in words.json other words by which the palette finds its items,
 * in all languages and in small letters.
 */
export interface Feature<Label = string, Group = string> {
  /** The name of the folder. */
  name: string;
  routes: readonly Place[];
  menu?: readonly Entry<Label>[];
  starts?: readonly Start<Label>[];
  finds?: readonly Finder<Group>[];
  bar?: readonly BarPart[];
  /** Its texts, where it has some beside those of the menu, which are with the texts of the first page in i18n/. */
  texts?: { readonly like?: object };
}

/**
 * Says that the folder has texts, en.json and de.json, with the keys of T. They are loaded with the first page that is not the
 * overview, in one file with those of all features.
 */
export function textsLike<T extends object>(like?: T): { readonly like?: T } {
  return like === undefined ? {} : { like };
}
