import { AppShell, NavLink, ScrollArea, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../access/apps';
import type { Me } from '../access/me';
import { useModules } from '../access/useModules';
import { areas } from '../feature/manifest';
import { useCarried } from '../lib/useView';
import { allowed, entries, pathOf } from './menu';

interface Props {
  app: App | undefined;
  member: Me | undefined;
  path: string;
}

/** The menu of pages by area. The chosen time goes along. */
export function Areas({ app, member, path }: Props) {
  const { t } = useTranslation();
  const time = useCarried();
  const mayOpen = allowed(entries, member, app?._id, useModules());
  const here = path.replace(/\/$/, '');
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest' });
  }, [here, mayOpen.length]); // pages come once it is known what one may open
  return (
    <AppShell.Section grow component={ScrollArea} type="auto" scrollbarSize={6} className="areas" ref={list}>
      {areas.map((area) => {
        const mine = mayOpen.filter((p) => p.area === area);
        if (mine.length === 0) return null;
        return (
          <div key={area} role="group" aria-labelledby={`area-${area}`} className="area-group">
            <Text id={`area-${area}`} size="xs" fw={600} c="dimmed" px="sm" pb={4}>
              {t(`area.${area}`)}
            </Text>
            {mine.map((p) => {
              const to = pathOf(p.route, app?._id);
              const active = here === to || (!p.route.fullPath.endsWith('/') && here.startsWith(`${to}/`));
              const Icon = p.icon;
              return (
                <NavLink
                  key={p.id}
                  label={t(p.label)}
                  leftSection={<Icon size={18} />}
                  active={active}
                  className="area"
                  py={4}
                  renderRoot={(props) => (
                    <Link {...props} to={to} activeOptions={{ exact: true, includeSearch: false }} search={p.area === 'server' ? {} : time} aria-current={active ? 'page' : undefined} />
                  )}
                />
              );
            })}
          </div>
        );
      })}
    </AppShell.Section>
  );
}
