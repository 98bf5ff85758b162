import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { later } from '../../components/lazily';
import { FunnelIcon } from '../../components/icons';
import { viewKey } from '../../lib/segments';
import { useView } from '../../lib/useView';
import type { App } from '../../access/apps';
import './filtered.css';

const Chips = later(async () => (await import('./FilterChips')).FilterChips);
const Drawer = later(async () => (await import('./FilterDrawer')).FilterDrawer);

/** The events of figures of sessions. */
export const noEvents: readonly string[] = [];

/** The events of figures of views. */
export const ofViews: readonly string[] = [viewKey];

interface Props {
  app: App;
  /** The events by whose properties figures of the page can be filtered, beside those of users. */
  events: readonly string[];
}

/** What the figures of a page are filtered by; the address holds it. */
export function FilterBar({ app, events }: Props) {
  const { t } = useTranslation();
  const [view] = useView();
  const [open, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  return (
    <div className="filter-bar" role="group" aria-label={t('metric.filter')}>
      <Button ref={opener} className="no-print" variant="default" size="xs" leftSection={<FunnelIcon size={16} />} onClick={() => setOpen(true)}>
        {t('metric.filter')}
      </Button>
      {view.filter !== '' && <Chips app={app} events={events} onOpen={() => setOpen(true)} onRemove={() => opener.current?.focus()} />}
      {open && <Drawer app={app} events={events} onClose={() => setOpen(false)} />}
    </div>
  );
}
