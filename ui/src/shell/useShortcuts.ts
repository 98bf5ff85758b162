import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../access/apps';
import type { Me } from '../access/me';
import { useModules } from '../access/useModules';
import { copyLink } from '../components/link';
import { formatPeriod, neighbour, parsePeriod } from '../lib/period';
import { useCarried } from '../lib/useView';
import { isStep, parseView, whole, type View } from '../lib/view';
import { allowed, entries, isOfApp, pathOf } from './menu';
import { Keys, singleKeysOn, type Command } from './shortcuts';

interface Options {
  app: App | undefined;
  member: Me | undefined;
  openPalette: () => void;
  openSheet: () => void;
}

/** Listens to the keys of the window. */
export function useShortcuts({ app, member, openPalette, openSheet }: Options): void {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { appId } = useParams({ strict: false });
  const search = useSearch({ strict: false });
  const time = useCarried();
  const modules = useModules();
  const keys = useRef(new Keys());

  const change = (part: Partial<View>) => {
    if (appId === undefined) return;
    void navigate({ to: '.', search: (before: Partial<View>) => ({ ...before, ...whole(part) }), replace: !isStep(part), resetScroll: false });
  };
  const run = (command: Command) => {
    const view = parseView(search);
    switch (command.do) {
      case 'palette':
        openPalette();
        break;
      case 'sheet':
        openSheet();
        break;
      case 'search':
        document.querySelector<HTMLInputElement>('#main input[type=search]')?.focus();
        break;
      case 'copy':
        void copyLink(t('app.linkCopied'), t('app.linkNotCopied'));
        break;
      case 'period':
        change({ period: command.preset });
        break;
      case 'compare':
        change({ compare: view.compare === 'none' ? 'previous' : 'none' });
        break;
      case 'earlier':
      case 'later': {
        const next = neighbour(parsePeriod(view.period), command.do === 'earlier' ? -1 : 1, app?.timezone ?? 'UTC', new Date());
        if (next !== undefined) change({ period: formatPeriod(next) });
        break;
      }
      case 'page': {
        const page = allowed(entries, member, app?._id, modules).find((p) => p.id === command.id);
        if (page !== undefined) void navigate({ to: pathOf(page.route, app?._id), search: isOfApp(page.route) ? time : {} });
      }
    }
  };
  const onKey = useEffectEvent((e: KeyboardEvent) => {
    if (e.defaultPrevented) return;
    const command = keys.current.press({ key: e.key, ctrlKey: e.ctrlKey, metaKey: e.metaKey, altKey: e.altKey, typing: isTyping(e) }, singleKeysOn());
    if (command === undefined) return;
    e.preventDefault();
    run(command);
  });

  useEffect(() => {
    const listen = (e: KeyboardEvent) => onKey(e);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}

/** Whether a key belongs to a field, to a group of choices, or to something open above the page. */
function isTyping(e: KeyboardEvent): boolean {
  const target = e.target;
  if (!(target instanceof HTMLElement)) return false;
  const arrow = e.key.startsWith('Arrow') ? ', [tabindex="0"], [role=tab], input' : '';
  return target.isContentEditable || target.closest(`input:not([type=radio], [type=checkbox]), textarea, select, [role=dialog]${arrow}`) !== null;
}
