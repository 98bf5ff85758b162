import { AppShell, NavLink, ScrollArea, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../access/apps';
import type { Me } from '../access/me';
import { useModules } from '../access/useModules';
import { ChevronIcon, StarIcon } from '../components/icons';
import type { Area } from '../feature/manifest';
import { useCarried } from '../lib/useView';
import { fold, keep, none, recall, starred, visited, type GroupID, type Own } from './fold';
import { allowed, entries, pathOf } from './menu';

interface Props {
  app: App | undefined;
  member: Me | undefined;
  path: string;
}

/** The menu of pages: favourites, those opened last, and the areas, of which one is open. The chosen time goes along. */
export function Areas({ app, member, path }: Props) {
  const { t } = useTranslation();
  const time = useCarried();
  const mayOpen = allowed(entries, member, app?._id, useModules());
  const here = path.replace(/\/$/, '');
  const at = (p: (typeof mayOpen)[number]) => {
    const to = pathOf(p.route, app?._id);
    return here === to || (!p.route.fullPath.endsWith('/') && here.startsWith(`${to}/`));
  };
  const page = mayOpen.find(at);
  const [own, change] = useOwn(member?._id, page?.id);
  const [chosen, choose] = useState<{ from: string; area: Area | undefined }>();
  const [whole, setWhole] = useState<ReadonlySet<GroupID>>(new Set());
  const open = chosen?.from === here ? chosen.area : (page?.area ?? chosen?.area ?? 'figures');
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest' });
  }, [here, mayOpen.length]); // pages come once it is known what one may open
  return (
    <AppShell.Section grow component={ScrollArea} type="auto" scrollbarSize={6} className="areas" ref={list}>
      {fold(mayOpen, own, open, whole, page?.id).map((group) => {
        const { id } = group;
        const head = `area-${id}`;
        const area = id === 'favourites' || id === 'recent' ? undefined : id;
        return (
          <div key={id} role="group" aria-labelledby={head} className="area-group">
            {area === undefined ? (
              <div id={head} className="area-head">
                {t(`nav.${id as 'recent'}`)}
              </div>
            ) : (
              <UnstyledButton id={head} className="area-head" aria-expanded={group.open} onClick={() => choose({ from: here, area: group.open ? undefined : area })}>
                {t(`area.${area}`)}
                <span className={group.open ? undefined : 'turn-on'} aria-hidden>
                  <ChevronIcon size={14} />
                </span>
              </UnstyledButton>
            )}
            {group.shown.map((p) => {
              const active = p === page;
              const Icon = p.icon;
              const liked = own.favourites.includes(p.id);
              return (
                <div key={p.id} className="area-row">
                  <NavLink
                    label={t(p.label)}
                    leftSection={<Icon size={18} />}
                    active={active}
                    className="area"
                    py={4}
                    renderRoot={(props) => (
                      <Link {...props} to={pathOf(p.route, app?._id)} activeOptions={{ exact: true, includeSearch: false }} search={p.area === 'server' ? {} : time} aria-current={active ? 'page' : undefined} />
                    )}
                  />
                  <UnstyledButton className="area-star" aria-pressed={liked} aria-label={t('nav.favourite', { what: t(p.label) })} title={t('nav.favourite', { what: t(p.label) })} onClick={() => change(starred(own, p.id))}>
                    <StarIcon size={16} />
                  </UnstyledButton>
                </div>
              );
            })}
            {group.open && group.more > 0 && (
              <UnstyledButton className="area-more" onClick={() => setWhole(new Set([...whole, id]))}>
                {t('nav.more', { count: group.more })}
              </UnstyledButton>
            )}
          </div>
        );
      })}
    </AppShell.Section>
  );
}

/** What is a member's own of the menu, and how to change it. The page that is open becomes the one opened last. */
function useOwn(member: string | undefined, page: string | undefined): [Own, (own: Own) => void] {
  const [held, hold] = useState<{ of: string; own: Own }>();
  if (member !== undefined && held?.of !== member) hold({ of: member, own: recall(member) });
  const own = held !== undefined && held.of === member ? held.own : none;
  const next = page === undefined ? own : visited(own, page);
  if (held !== undefined && held.of === member && next !== own) hold({ of: held.of, own: next });
  useEffect(() => {
    if (held !== undefined) keep(held.of, held.own);
  }, [held]);
  return [own, (changed) => member !== undefined && hold({ of: member, own: changed })];
}
