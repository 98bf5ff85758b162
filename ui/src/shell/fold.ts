import { areas, type Area } from '../feature/manifest';

/** The groups of the menu: the pages that a member likes best, those opened last, and the areas. */
export type GroupID = 'favourites' | 'recent' | Area;

/** What of the menu is a member's own: pages by id, those opened last first. */
export interface Own {
  favourites: readonly string[];
  recent: readonly string[];
}

/** A group as it is shown: some of its pages, and how many more there are. */
export interface Group<T> {
  id: GroupID;
  /** Whether its pages are in sight; favourites and recent pages always are. */
  open: boolean;
  shown: T[];
  more: number;
}

/** About how many pages are in sight, how many of them at most in the groups that are a member's own, and how few of an area at least. */
const room = { all: 12, favourites: 6, recent: 3, area: 4 } as const;

/** How many of the pages opened last are kept. */
const kept = 12;

interface Page {
  id: string;
  area: Area;
}

/**
 * Folds the menu, so that about twelve pages are in sight: favourites, those opened last, and those of one area. Whole are groups that
 * show all they have. The page that is open is always among those of its area.
 */
export function fold<T extends Page>(pages: readonly T[], own: Own, open: Area | undefined, whole: ReadonlySet<GroupID>, here: string | undefined): Group<T>[] {
  const find = (ids: readonly string[]) => ids.flatMap((id) => pages.find((p) => p.id === id) ?? []);
  const favourites = find(own.favourites);
  const recent = find(own.recent.filter((id) => id !== here && !own.favourites.includes(id))).filter((p) => p.area !== open);
  const cut = (id: GroupID, list: readonly T[], most: number): Group<T> => {
    const fits = list.length <= most || whole.has(id);
    const first = fits ? [...list] : list.slice(0, most);
    const at = list.findIndex((p) => p.id === here);
    const shown = at < first.length ? first : [...first.slice(0, -1), ...list.slice(at, at + 1)];
    return { id, open: true, shown, more: list.length - shown.length };
  };
  const ours = cut('favourites', favourites, room.favourites);
  const last = { ...cut('recent', recent, ours.shown.length > room.recent ? room.recent - 1 : room.recent), more: 0 };
  const left = Math.max(room.area, room.all - ours.shown.length - last.shown.length);
  return [ours, last, ...areas.map((area): Group<T> => {
    const list = pages.filter((p) => p.area === area);
    return area === open ? cut(area, list, left) : { id: area, open: false, shown: [], more: list.length };
  })].filter((group) => group.shown.length + group.more > 0);
}

/** What is a member's own once a page was opened. */
export function visited(own: Own, id: string): Own {
  return own.recent[0] === id ? own : { ...own, recent: [id, ...own.recent.filter((other) => other !== id)].slice(0, kept) };
}

/** What is a member's own once a page became a favourite, or no longer is one. */
export function starred(own: Own, id: string): Own {
  const rest = own.favourites.filter((other) => other !== id);
  return { ...own, favourites: rest.length < own.favourites.length ? rest : [...rest, id] };
}

/** What is nobody's own yet. */
export const none: Own = { favourites: [], recent: [] };

const keyOf = (member: string) => `quipu-menu:${member}`;
const isTexts = (list: unknown): list is string[] => Array.isArray(list) && list.every((id) => typeof id === 'string');

/** What this browser keeps of a member's menu. */
export function recall(member: string): Own {
  try {
    const held: unknown = JSON.parse(localStorage.getItem(keyOf(member)) ?? '{}');
    const listOf = (list: unknown) => (isTexts(list) ? list : []);
    return typeof held !== 'object' || held === null ? none : { favourites: listOf('favourites' in held && held.favourites), recent: listOf('recent' in held && held.recent) };
  } catch {
    return none;
  }
}

export function keep(member: string, own: Own): void {
  localStorage.setItem(keyOf(member), JSON.stringify(own));
}
