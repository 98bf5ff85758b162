import { Modal, Text, TextInput } from '@mantine/core';
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { Me } from '../access/me';
import type { App } from '../access/apps';
import { SearchIcon } from '../components/icons';
import { useFocusBack } from '../lib/useFocusBack';
import { rank } from './rank';
import { useItems, type Item } from './useItems';

interface Props {
  app: App | undefined;
  apps: App[];
  member: Me | undefined;
  onClose: () => void;
  onShortcuts: () => void;
}

const most = 40;

/** Finds pages, apps, people, what is saved and actions by a few letters. */
export default function Palette({ app, apps, member, onClose, onShortcuts }: Props) {
  const { t } = useTranslation();
  useFocusBack();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const { items, asking } = useItems(app, apps, member, text, onShortcuts);
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
                  {item.group}
                </Text>
              </div>
            );
          })}
        </div>
        {found.length === 0 && (
          <Text c="dimmed" ta="center" p="lg" role="status">
            {t(asking ? 'state.loading' : 'palette.nothing')}
          </Text>
        )}
      </Modal.Content>
    </Modal.Root>
  );
}
