import { ActionIcon, Anchor, Stack, Text, Tooltip } from '@mantine/core';
import { Link, useSearch } from '@tanstack/react-router';
import { useEffect, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../access/apps';
import { useFormat } from '../i18n';
import { formatPeriod } from '../lib/period';
import { useTime, useView } from '../lib/useView';
import { carried, parseView } from '../lib/view';
import { ChevronIcon, LinkIcon } from './icons';
import { shareLink } from './link';
import { PageTitle } from './PageTitle';
import { PeriodPicker } from './time/PeriodPicker';
import { useZone } from './time/useZone';

interface Props {
  title: string;
  /** The page that lists what this one is of. */
  above?: { to: string; label: string };
  lead?: ReactNode;
  /** Controls at the right of the title. */
  actions?: ReactNode;
  /** False where there is nothing to point others to: what one sees is one's own. */
  share?: boolean;
  /** Whether the lead says in which time zone times are. */
  zoned?: boolean;
  children: ReactNode;
}

/** A page: its title, what it is about, its controls, and its address to pass on. */
export function Page({ title, above, lead, actions, share = true, zoned = false, children }: Props) {
  useEffect(() => {
    // From here on a person can work with the page; tests measure how soon.
    if (performance.getEntriesByName('interactive').length === 0) performance.mark('interactive');
  }, []);
  return (
    <Stack gap="md">
      <div className="page-head">
        <div className="page-title">
          {above !== undefined && <Above {...above} />}
          <PageTitle>{title}</PageTitle>
          {lead !== undefined && (
            <Text c="dimmed" size="sm" component="div">
              {lead}
            </Text>
          )}
          {!zoned && <Zone />}
        </div>
        {Boolean(actions) && <div className="no-print page-actions">{actions}</div>}
        {share && (
          <div className="no-print page-share">
            <CopyLink />
          </div>
        )}
      </div>
      {children}
    </Stack>
  );
}

/** The time zone, where the bar above the page has no room for it. */
function Zone() {
  const { zone, label, app } = useZone();
  if (zone === '') return null;
  return (
    <Text c="dimmed" size="sm" className="page-zone">
      <span className="print-only">{app === undefined ? '' : `${app.name} · `}</span>
      {`${label}: ${zone}`}
    </Text>
  );
}

/** The way up; the chosen time goes along. */
function Above({ to, label }: { to: string; label: string }) {
  const search = useSearch({ strict: false });
  return (
    <Anchor size="sm" className="above no-print" renderRoot={(props) => <Link {...props} to={to} search={carried(parseView(search))} />}>
      <span className="turn-back" aria-hidden>
        <ChevronIcon size={14} />
      </span>
      {label}
    </Anchor>
  );
}

/** A page of figures of a period, whose days are those of the app's zone. */
export function TimePage({ app, actions, ...page }: Props & { app: App }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [view, set] = useView();
  const { period, span, before } = useTime(app);
  return (
    <Page
      {...page}
      zoned
      lead={
        <>
          {page.lead !== undefined && <div>{page.lead}</div>}
          <span className="print-only">{`${app.name}, `}</span>
          {format.days(span.from, span.to)}
          {before !== undefined && ` ${t('period.against', { period: format.days(before.from, before.to) })}`}
          {' · '}
          <span title={t('app.zone')}>
            <span className="visually-hidden">{`${t('app.zone')}: `}</span>
            {app.timezone}
          </span>
        </>
      }
      actions={
        <>
          {actions}
          <PeriodPicker
            value={period}
            span={span}
            zone={app.timezone}
            compare={view.compare}
            match={view.match}
            onChange={(p) => set({ period: formatPeriod(p), page: 1 })}
            onCompare={(compare, match) => set({ compare, match })}
          />
        </>
      }
    />
  );
}

/** Passes the address of the present view on at a click: where people tap, to another program; else by the clipboard. */
function CopyLink() {
  const { t } = useTranslation();
  const label = t('app.copyLink');
  return (
    <Tooltip label={label} withArrow>
      <ActionIcon variant="default" size={36} aria-label={label} onClick={() => void shareLink(t('app.linkCopied'), t('app.linkNotCopied'))}>
        <LinkIcon size={18} />
      </ActionIcon>
    </Tooltip>
  );
}
