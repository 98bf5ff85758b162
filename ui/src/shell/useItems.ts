import { useMantineColorScheme } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useMemo, type ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../access/apps';
import type { Me } from '../access/me';
import { useModules } from '../access/useModules';
import { csrfToken } from '../api/client';
import { AppsIcon, CalendarIcon, CheckIcon, PlusIcon } from '../components/icons';
import { copyLink } from '../components/link';
import { isAllowed } from '../feature/access';
import type { Found } from '../feature/manifest';
import { base } from '../lib/base';
import { words } from '../features/words';
import { speak } from '../i18n';
import { comparisons, presets } from '../lib/period';
import { useCarried } from '../lib/useView';
import { isStep, whole, type View } from '../lib/view';
import { allowed, entries, finders, isOfApp, pathOf, starts } from './menu';
import { synonyms } from './synonyms';

/** What the palette finds. */
export interface Item {
  id: string;
  /** What it is, in words. */
  group: string;
  label: string;
  /** Other words for it. */
  words?: readonly string[];
  /** Whether the server found it for the text. */
  asked?: boolean;
  icon: ComponentType<{ size?: number }>;
  run: () => void;
}

/** All pages, apps, things by name and actions that a member may reach, with what the server finds for a text; and whether it still looks. */
export function useItems(app: App | undefined, apps: App[], member: Me | undefined, text: string, onShortcuts: () => void): { items: Item[]; asking: boolean } {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const time = useCarried();
  const modules = useModules();
  const found = useFound(app, member, modules);
  const { asked, asking } = useAsked(app, member, modules, text);
  const begun = useStarts(app, member, modules);
  const actions = useActions(onShortcuts);
  const items = useMemo(
    () => [
      ...allowed(entries, member, app?._id, modules).map((p): Item => ({
        id: `page-${p.id}`,
        group: t('palette.pages'),
        label: t(p.label),
        words: words[`page-${p.id}`] ?? [],
        icon: p.icon,
        run: () => void navigate({ to: pathOf(p.route, app?._id), search: isOfApp(p.route) ? time : {} }),
      })),
      ...apps.map((a): Item => ({ id: `app-${a._id}`, group: t('palette.apps'), label: a.name, icon: AppsIcon, run: () => void navigate({ to: `/apps/${a._id}`, search: time }) })),
      ...found,
      ...begun,
      ...actions,
      ...asked,
    ],
    [app, apps, member, modules, found, asked, begun, actions, time, navigate, t],
  );
  return { items, asking };
}

/** What features find by name in the app. What one of them cannot read is left out. */
function useFound(app: App | undefined, member: Me | undefined, modules: readonly string[] | undefined): Item[] {
  const asked = app === undefined ? [] : finders.filter(({ access, find }) => find !== undefined && isAllowed(access, member, app._id, modules));
  const { i18n } = useTranslation();
  const { data } = useQuery({
    queryKey: ['found', app?._id, asked.map(({ id }) => id), i18n.language],
    queryFn: ({ client }) => gathered(asked.map(async (finder) => ({ finder, found: (await finder.find?.(app?._id ?? '', client)) ?? [] }))),
    enabled: asked.length > 0,
  });
  return useItemsOf(app, data);
}

/** How long a text stands before the server is asked, in ms, and how many letters it has at least. */
const pause = 200;
const least = 2;

/** What the server finds for a text; and whether it still looks. */
function useAsked(app: App | undefined, member: Me | undefined, modules: readonly string[] | undefined, text: string): { asked: Item[]; asking: boolean } {
  const [wanted] = useDebouncedValue(text.trim(), pause);
  const asked = app === undefined ? [] : finders.filter(({ access, ask }) => ask !== undefined && isAllowed(access, member, app._id, modules));
  const enough = asked.length > 0 && text.trim().length >= least;
  const { data, isFetching } = useQuery({
    queryKey: ['asked', app?._id, asked.map(({ id }) => id), wanted],
    queryFn: ({ client }) => gathered(asked.map(async (finder) => ({ finder, found: (await finder.ask?.(app?._id ?? '', client, wanted)) ?? [] }))),
    enabled: enough && wanted.length >= least,
  });
  const items = useItemsOf(app, enough && wanted === text.trim() ? data : undefined, true);
  return { asked: items, asking: enough && (isFetching || wanted !== text.trim()) };
}

/** What was found, without what could not be read. */
async function gathered<T>(reads: readonly Promise<T>[]): Promise<T[]> {
  const all = await Promise.allSettled(reads);
  return all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}

/** What was found, as the palette lists it. */
function useItemsOf(app: App | undefined, data: readonly { finder: (typeof finders)[number]; found: readonly Found[] }[] | undefined, asked = false): Item[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const time = useCarried();
  return useMemo(
    () =>
      (data ?? []).flatMap(({ finder: { id, group, icon }, found }) =>
        found.map(({ label, words, route, params, search }, i): Item => ({
          id: `${id}-${i}`,
          group: t(group),
          label,
          icon,
          asked,
          ...(words === undefined ? {} : { words: words.map((word) => word.toLocaleLowerCase()) }),
          run: () => void navigate({ to: pathOf(route, app?._id, params), search: { ...time, ...search } }),
        })),
      ),
    [app, asked, data, navigate, t, time],
  );
}

/** What features begin. */
function useStarts(app: App | undefined, member: Me | undefined, modules: readonly string[] | undefined): Item[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return useMemo(
    () =>
      allowed(starts, member, app?._id, modules).map(({ id, label, route, search = {} }): Item => ({
        id,
        group: t('palette.actions'),
        label: t(label),
        words: words[id] ?? [],
        icon: PlusIcon,
        run: () => void navigate({ to: pathOf(route, app?._id), search }),
      })),
    [app, member, modules, navigate, t],
  );
}

/** What can be done from everywhere, and on the page that is open. */
function useActions(onShortcuts: () => void): Item[] {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const { appId } = useParams({ strict: false });
  const { setColorScheme } = useMantineColorScheme();
  return useMemo(() => {
    const action = (id: string, label: string, run: () => void, icon: Item['icon'] = CheckIcon): Item => ({ id, group: t('palette.actions'), label, words: synonyms[id] ?? [], icon, run });
    const change = (part: Partial<View>) =>
      void navigate({ to: '.', search: (before: Partial<View>) => ({ ...before, ...whole(part), page: 1 }), replace: !isStep(part), resetScroll: false });
    return [
      // The time is that of the pages of an app.
      ...(appId === undefined
        ? []
        : [
            ...presets.map((preset) => action(`period-${preset}`, `${t('period.label')}: ${t(`period.${preset}`)}`, () => change({ period: preset }), CalendarIcon)),
            ...comparisons.map((compare) => action(`compare-${compare}`, `${t('period.compare')}: ${t(`period.${compare}`)}`, () => change({ compare }), CalendarIcon)),
          ]),
      action('copy', t('app.copyLink'), () => void copyLink(t('app.linkCopied'), t('app.linkNotCopied'))),
      action('light', t('palette.light'), () => setColorScheme('light')),
      action('dark', t('palette.dark'), () => setColorScheme('dark')),
      action('system', t('palette.system'), () => setColorScheme('auto')),
      i18n.language === 'de' ? action('english', 'English', () => void speak('en')) : action('german', 'Deutsch', () => void speak('de')),
      action('print', t('palette.print'), () => window.print()),
      action('shortcuts', t('shortcuts.title'), onShortcuts),
      action('sign-out', t('app.signOut'), signOut),
    ];
  }, [appId, navigate, setColorScheme, onShortcuts, t, i18n.language]);
}

/** Ends the session, as the button in the menu of the account does. */
function signOut(): void {
  const form = document.createElement('form');
  form.method = 'post';
  form.action = `${base}/logout`;
  const token = document.createElement('input');
  token.type = 'hidden';
  token.name = '_csrf';
  token.value = csrfToken();
  form.append(token);
  document.body.append(form);
  form.submit();
}
