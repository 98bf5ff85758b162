import { ActionIcon, Anchor, Group, Stack, Text, Title, Tooltip } from '@mantine/core';
import { Link, useSearch } from '@tanstack/react-router';
import { useEffect, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../features/apps/api';
import { useFormat } from '../i18n';
import { formatPeriod } from '../lib/period';
import { useTime, useView } from '../lib/useView';
import { carried, parseView } from '../lib/view';
import { ChevronIcon, LinkIcon } from './icons';
import { PeriodPicker } from './time/PeriodPicker';
import { toasts } from './toasts';

interface Props {
  title: string;
  /** The page that lists what this one is of. */
  above?: { to: string; label: string };
  lead?: ReactNode;
  /** Controls at the right of the title. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A page: its title, what it is about, its controls. */
export function Page({ title, above, lead, actions, children }: Props) {
  useEffect(() => {
    document.title = `${title} · Quipu`;
  }, [title]);
  useEffect(() => {
    // From here on a person can work with the page; tests measure how soon.
    if (performance.getEntriesByName('interactive').length === 0) performance.mark('interactive');
  }, []);
  return (
    <Stack gap="md">
      <Group justify="space-between" align="start" gap="sm">
        <div className="page-title">
          {above !== undefined && <Above {...above} />}
          <Title order={1} size="h2" className="breakable">
            {title}
          </Title>
          {lead !== undefined && (
            <Text c="dimmed" size="sm" component="div">
              {lead}
            </Text>
          )}
        </div>
        {Boolean(actions) && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
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
        <div className="no-print page-actions">
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
          <CopyLink />
        </div>
      }
    />
  );
}

/** Copies the address of the present view at a click. */
export function CopyLink() {
  const { t } = useTranslation();
  return (
    <Tooltip label={t('app.copyLink')} withArrow>
      <ActionIcon variant="default" size={36} aria-label={t('app.copyLink')} onClick={() => void copyLink(t('app.linkCopied'), t('app.linkNotCopied'))}>
        <LinkIcon size={18} />
      </ActionIcon>
    </Tooltip>
  );
}

/** Copies the address of the present view. */
export async function copyLink(done: string, failed: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(window.location.href);
    toasts.show(done);
  } catch {
    toasts.show(failed, 'failed'); // browsers forbid it without TLS
  }
}
