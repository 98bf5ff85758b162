import { Modal, Text, TextInput, useMantineColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useId, useMemo, useRef, useState, type ComponentType, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { Me } from '../../features/account/api';
import { may } from '../../features/account/rights';
import type { App } from '../../features/apps/api';
import { eventList } from '../../features/events/api';
import { speak } from '../../i18n';
import { carried, parseView } from '../../lib/view';
import { AppsIcon, BoltIcon, CheckIcon, PlusIcon, SearchIcon } from '../icons';
import { copyLink } from '../Page';
import { rank } from './rank';
import { pagesFor, pathOf } from './pages';
import { useModules } from './useModules';

interface Item {
  id: string;
  group: 'pages' | 'apps' | 'events' | 'actions';
  label: string;
  icon: ComponentType<{ size?: number }>;
  run: () => void;
}

interface Props {
  app: App | undefined;
  apps: App[];
  member: Me | undefined;
  onClose: () => void;
  onShortcuts: () => void;
}

const most = 40;

/** Finds pages, apps, events and actions by a few letters. */
export default function Palette({ app, apps, member, onClose, onShortcuts }: Props) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const items = useItems(app, apps, member, onShortcuts);
  const found = useMemo(() => rank(items, text).slice(0, most), [items, text]);
  const chosen = found[Math.min(at, found.length - 1)];

  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);

  const run = (item: Item | undefined) => {
    if (item === undefined) return;
    onClose();
    item.run();
  };
  const onKey = (e: KeyboardEvent) => {
    const move = e.key === 'ArrowDown' ? 1 : e.key === 'ArrowUp' ? -1 : 0;
    if (move !== 0) {
      e.preventDefault();
      setAt((now) => (Math.min(now, found.length - 1) + move + found.length) % Math.max(1, found.length));
    } else if (e.key === 'Enter') {
      e.preventDefault();
      run(chosen);
    }
  };
  return (
    <Modal.Root opened onClose={onClose} size="lg" yOffset="10vh">
      <Modal.Overlay />
      <Modal.Content aria-label={t('palette.open')}>
      <TextInput
        data-autofocus
        size="md"
        variant="unstyled"
        className="palette-field"
        leftSection={<SearchIcon size={18} />}
        placeholder={t('palette.placeholder')}
        aria-label={t('palette.placeholder')}
        role="combobox"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={chosen === undefined ? undefined : `${id}-${chosen.id}`}
        value={text}
        onKeyDown={onKey}
        onChange={(e) => {
          setText(e.currentTarget.value);
          setAt(0);
        }}
      />
        <div ref={list} role="listbox" id={`${id}-list`} aria-label={t('palette.results')} className="palette-list" tabIndex={0} onKeyDown={onKey}>
          {found.map((item) => {
            const Icon = item.icon;
            return (
              <div
                key={item.id}
                id={`${id}-${item.id}`}
                role="option"
                aria-selected={item === chosen}
                className="palette-item"
                onMouseMove={() => setAt(found.indexOf(item))}
                onClick={() => run(item)}
              >
                <Icon size={18} />
                <Text size="sm" flex={1} truncate>
                  {item.label}
                </Text>
                <Text size="xs" c="dimmed">
                  {t(`palette.${item.group}`)}
                </Text>
              </div>
            );
          })}
        </div>
        {found.length === 0 && (
          <Text c="dimmed" ta="center" p="lg" role="status">
            {t('palette.nothing')}
          </Text>
        )}
      </Modal.Content>
    </Modal.Root>
  );
}

function useItems(app: App | undefined, apps: App[], member: Me | undefined, onShortcuts: () => void): Item[] {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const search = useSearch({ strict: false });
  const { setColorScheme } = useMantineColorScheme();
  const readable = app !== undefined && member !== undefined && may(member, app._id, 'core', 'r');
  const events = useQuery({ ...eventList(app?._id ?? ''), enabled: readable }).data;
  const modules = useModules();
  return useMemo(() => {
    const time = carried(parseView(search));
    const go = (to: string, inApp = true) => void navigate({ to, search: inApp ? time : {} });
    const action = (id: string, label: string, run: () => void): Item => ({ id, group: 'actions', label, icon: CheckIcon, run });
    return [
      ...pagesFor(member, app?._id, modules).map((p): Item => ({
        id: `page-${p.id}`,
        group: 'pages',
        label: t(p.label),
        icon: p.icon,
        run: () => go(pathOf(p, app?._id), p.area !== 'server'),
      })),
      ...apps.map((a): Item => ({ id: `app-${a._id}`, group: 'apps', label: a.name, icon: AppsIcon, run: () => go(`/apps/${a._id}`) })),
      ...(events?.list ?? []).map((key, i): Item => ({
        id: `event-${i}`,
        group: 'events',
        label: key,
        icon: BoltIcon,
        run: () => app && void navigate({ to: '/apps/$appId/events/$key', params: { appId: app._id, key }, search: time }),
      })),
      ...(member?.global_admin === true ? [{ id: 'new-app', group: 'actions', label: t('app.add'), icon: PlusIcon, run: () => go('/apps/new', false) } as const] : []),
      action('copy', t('app.copyLink'), () => void copyLink(t('app.linkCopied'), t('app.linkNotCopied'))),
      action('light', t('palette.light'), () => setColorScheme('light')),
      action('dark', t('palette.dark'), () => setColorScheme('dark')),
      action('system', t('palette.system'), () => setColorScheme('auto')),
      i18n.language === 'de' ? action('english', 'English', () => void speak('en')) : action('german', 'Deutsch', () => void speak('de')),
      action('print', t('palette.print'), () => window.print()),
      action('shortcuts', t('shortcuts.title'), onShortcuts),
    ];
  }, [app, apps, member, modules, events, search, navigate, setColorScheme, onShortcuts, t, i18n.language]);
}
