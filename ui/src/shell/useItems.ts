import { useMantineColorScheme } from '@mantine/core';
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
import { base } from '../lib/base';
import { words } from '../features/words';
import { speak } from '../i18n';
import { comparisons, presets } from '../lib/period';
import { useCarried } from '../lib/useView';
import { isStep, type View } from '../lib/view';
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
  icon: ComponentType<{ size?: number }>;
  run: () => void;
}

/** All pages, apps, things by name and actions that a member may reach. */
export function useItems(app: App | undefined, apps: App[], member: Me | undefined, onShortcuts: () => void): Item[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const time = useCarried();
  const modules = useModules();
  const found = useFound(app, member, modules);
  const begun = useStarts(app, member, modules);
  const actions = useActions(onShortcuts);
  return useMemo(
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
    ],
    [app, apps, member, modules, found, begun, actions, time, navigate, t],
  );
}

/** What features find by name in the app. */
function useFound(app: App | undefined, member: Me | undefined, modules: readonly string[] | undefined): Item[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const time = useCarried();
  const asked = app === undefined ? [] : finders.filter(({ access }) => isAllowed(access, member, app._id, modules));
  const { data } = useQuery({
    queryKey: ['found', app?._id, asked.map(({ id }) => id)],
    queryFn: async ({ client }) =>
      Promise.all(asked.map(async ({ find, ...finder }) => ({ ...finder, found: await find(app?._id ?? '', client) }))),
    enabled: asked.length > 0,
  });
  return useMemo(
    () =>
      (data ?? []).flatMap(({ id, group, icon, found }) =>
        found.map(({ label, route, params }, i): Item => ({
          id: `${id}-${i}`,
          group: t(group),
          label,
          icon,
          run: () => void navigate({ to: pathOf(route, app?._id, params), search: time }),
        })),
      ),
    [app, data, navigate, t, time],
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
      void navigate({ to: '.', search: (before: Partial<View>) => ({ ...before, ...part, page: 1 }), replace: !isStep(part), resetScroll: false });
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
