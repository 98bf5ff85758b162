import { useMantineColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useMemo, type ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { csrfToken } from '../../api/client';
import type { Me } from '../../features/account/api';
import { may } from '../../features/account/rights';
import type { App } from '../../features/apps/api';
import { eventList } from '../../features/events/api';
import { speak } from '../../i18n';
import { comparisons, presets } from '../../lib/period';
import { making, useCarried } from '../../lib/useView';
import { isStep, type View } from '../../lib/view';
import { AppsIcon, BoltIcon, CalendarIcon, CheckIcon, PlusIcon } from '../icons';
import { copyLink } from '../link';
import { pagesFor, pathOf } from './pages';
import { synonyms } from './synonyms';
import { useModules } from './useModules';

/** What the palette finds. */
export interface Item {
  id: string;
  group: 'pages' | 'apps' | 'events' | 'actions';
  label: string;
  /** Other words for it. */
  words?: readonly string[];
  icon: ComponentType<{ size?: number }>;
  run: () => void;
}

/** All pages, apps, events and actions that a member may reach. */
export function useItems(app: App | undefined, apps: App[], member: Me | undefined, onShortcuts: () => void): Item[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const time = useCarried();
  const readable = app !== undefined && member !== undefined && may(member, app._id, 'core', 'r');
  const events = useQuery({ ...eventList(app?._id ?? ''), enabled: readable }).data;
  const modules = useModules();
  const actions = useActions(app, member, onShortcuts);
  return useMemo(() => {
    const all: Item[] = [
      ...pagesFor(member, app?._id, modules).map((p): Item => ({
        id: `page-${p.id}`,
        group: 'pages',
        label: t(p.label),
        icon: p.icon,
        run: () => void navigate({ to: pathOf(p, app?._id), search: p.area === 'server' ? {} : time }),
      })),
      ...apps.map((a): Item => ({ id: `app-${a._id}`, group: 'apps', label: a.name, icon: AppsIcon, run: () => void navigate({ to: `/apps/${a._id}`, search: time }) })),
      ...(events?.list ?? []).map((key, i): Item => ({
        id: `event-${i}`,
        group: 'events',
        label: events?.map?.[key]?.name ?? key,
        icon: BoltIcon,
        run: () => app && void navigate({ to: '/apps/$appId/events/$key', params: { appId: app._id, key }, search: time }),
      })),
      ...actions,
    ];
    return all.map((item) => ({ ...item, words: synonyms[item.id] ?? [] }));
  }, [app, apps, member, modules, events, actions, time, navigate, t]);
}

/** What can be done from everywhere, and on the page that is open. */
function useActions(app: App | undefined, member: Me | undefined, onShortcuts: () => void): Item[] {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const { appId } = useParams({ strict: false });
  const { setColorScheme } = useMantineColorScheme();
  return useMemo(() => {
    const action = (id: string, label: string, run: () => void, icon: Item['icon'] = CheckIcon): Item => ({ id, group: 'actions', label, icon, run });
    const make = (id: string, label: string, to: string) => action(id, label, () => void navigate({ to, search: { open: making } }), PlusIcon);
    const change = (part: Partial<View>) =>
      void navigate({ to: '.', search: (before: Partial<View>) => ({ ...before, ...part, page: 1 }), replace: !isStep(part), resetScroll: false });
    const admin = member?.global_admin === true;
    return [
      ...(admin ? [action('new-app', t('app.add'), () => void navigate({ to: '/apps/new' }), PlusIcon)] : []),
      ...(app !== undefined && member !== undefined && may(member, app._id, 'core', 'c') ? [make('new-note', t('notes.add'), `/apps/${app._id}/notes`)] : []),
      ...(admin ? [make('new-member', t('members.add'), '/manage/members')] : []),
      ...(member === undefined ? [] : [make('new-token', t('tokens.add'), '/manage/tokens')]),
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
  }, [app, appId, member, navigate, setColorScheme, onShortcuts, t, i18n.language]);
}

/** Ends the session, as the button in the menu of the account does. */
function signOut(): void {
  const form = document.createElement('form');
  form.method = 'post';
  form.action = '/logout';
  const token = document.createElement('input');
  token.type = 'hidden';
  token.name = '_csrf';
  token.value = csrfToken();
  form.append(token);
  document.body.append(form);
  form.submit();
}
