import { Anchor, Box, Button, Checkbox, Group, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import type { App } from '../../access/apps';
import { messageOf } from '../../api/client';
import { ConfirmDelete } from '../../components/form/ConfirmDelete';
import { Filters, FilterSelect } from '../../components/table/Filters';
import { comparison, type Column } from '../../components/table/columns';
import { ServerTable } from '../../components/table/ServerTable';
import { toasts } from '../../components/toasts';
import { useFormat } from '../../i18n';
import { useCarried, useOnly } from '../../lib/useView';
import { groupList, useDecide, type Decision, type GroupRow, type Known } from './api';
import { decoded } from './figures';
import { StateBadges, states } from './states';
import './crashes.css';

interface Props {
  app: App;
  known: Known['crashes'];
}

const nobody: ReadonlySet<string> = new Set();

/** The groups of all time: searched, narrowed, ordered, and decided about many at once. */
export function GroupTable({ app, known: now }: Props) {
  const { t, i18n } = useTranslation();
  const [only] = useOnly();
  const member = useQuery(me).data;
  const [picked, setPicked] = useState(nobody);
  const can = (action: 'u' | 'd') => member !== undefined && may(member, app._id, 'crashes', action);
  const state = states.find((s) => s === only.state);
  const picks = can('u') || can('d');
  const columns = useGroupColumns(app, picks ? { picked, setPicked } : undefined);
  const options = (counts: Record<string, number>) =>
    Object.keys(counts)
      .sort(comparison(i18n.language))
      .map((value) => ({ value: decoded(value), label: decoded(value) }));
  const title = t('crashes.groups');
  return (
    <Box className="card" p="md" component="section" aria-label={title}>
      <Title order={2} size="h4">
        {title}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('crashes.groupsLead')}
      </Text>
      <div className="crash-filters">
        <Filters>
          <FilterSelect name="state" label={t('crashes.state')} data={states.map((value) => ({ value, label: t(`crashes.states.${value}`) }))} />
          <FilterSelect name="os" label={t('crashes.os')} data={options(now.os)} />
          <FilterSelect name="version" label={t('crashes.latestVersion')} data={options(now.app_version)} />
        </Filters>
      </div>
      <ServerTable
        bare
        caption={title}
        list={groupList(app._id, { preset: state === undefined ? '' : `crash-${state}`, os: only.os ?? '', version: only.version ?? '' })}
        columns={columns}
        order="-lastTs"
        usuallyHidden="startTs"
        file={`${app.name} ${title}`}
        empty={t('crashes.nothingFound')}
        actions={picks ? (rows: readonly GroupRow[]) => <Bulk app={app} rows={rows} picked={picked} onPicked={setPicked} deletes={can('d')} updates={can('u')} /> : undefined}
      />
    </Box>
  );
}

interface Picking {
  picked: ReadonlySet<string>;
  setPicked: (ids: ReadonlySet<string>) => void;
}

function useGroupColumns(app: App, picking: Picking | undefined): Column<GroupRow>[] {
  const { t } = useTranslation();
  const format = useFormat();
  const carried = useCarried();
  return useMemo(() => {
    const moment = (key: 'lastTs' | 'startTs', title: string): Column<GroupRow> => ({ key, title, short: true, value: (g) => g[key], text: (g) => format.moment(g[key] * 1000, app.timezone) });
    const count = (key: 'reports' | 'users', title: string): Column<GroupRow> => ({ key, title, numeric: true, value: (g) => g[key], text: (g) => format.count(g[key]) });
    const toggled = (id: string) => {
      const next = new Set(picking?.picked);
      if (!next.delete(id)) next.add(id);
      return next;
    };
    return [
      {
        key: 'name',
        title: t('crashes.group'),
        fixed: true,
        value: (g) => g.name,
        text: (g) => g.name,
        cell: (g) => (
          <div className="crash-name">
            {picking !== undefined && <Checkbox className="no-print" aria-label={t('crashes.pick', { name: g.name })} checked={picking.picked.has(g._id)} onChange={() => picking.setPicked(toggled(g._id))} />}
            <div>
              <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/apps/$appId/crashes/$id" params={{ appId: app._id, id: g._id }} search={carried} />}>
                <bdi>{g.name}</bdi>
              </Anchor>
              <StateBadges group={g} />
            </div>
          </div>
        ),
      },
      { key: 'os', title: t('crashes.os'), value: (g) => g.os, text: (g) => (g.os === '' ? '–' : g.os) },
      count('reports', t('crashes.reports')),
      count('users', t('metric.users')),
      { key: 'latest_version', title: t('crashes.latestVersion'), value: (g) => g.latest_version, text: (g) => (g.latest_version === '' ? '–' : g.latest_version) },
      moment('startTs', t('crashes.first')),
      moment('lastTs', t('crashes.last')),
    ];
  }, [t, format, app, carried, picking]);
}

interface BulkProps {
  app: App;
  rows: readonly GroupRow[];
  picked: ReadonlySet<string>;
  onPicked: (ids: ReadonlySet<string>) => void;
  updates: boolean;
  deletes: boolean;
}

/** What is done with the groups that were picked. */
function Bulk({ app, rows, picked, onPicked, updates, deletes }: BulkProps) {
  const { t } = useTranslation();
  const decide = useDecide(app._id);
  const [deleting, setDeleting] = useState(false);
  const ids = [...picked];
  const here = rows.filter((g) => picked.has(g._id)).length;
  const done = (what: Decision) => {
    toasts.show(t(`crashes.done.${what}`, { count: ids.length }));
    onPicked(nobody);
  };
  const act = (what: Decision) =>
    decide.mutate({ ids, what }, { onSuccess: () => done(what), onError: (error) => toasts.show(messageOf(error), 'failed') });
  const idle = ids.length === 0 || decide.isPending;
  return (
    <Group gap="xs" className="no-print" role="group" aria-label={t('crashes.bulk')}>
      <Checkbox
        label={ids.length === 0 ? t('crashes.pickAll') : t('crashes.picked', { count: ids.length })}
        checked={rows.length > 0 && here === rows.length}
        indeterminate={here > 0 && here < rows.length}
        onChange={() => onPicked(here === rows.length ? nobody : new Set(rows.map((g) => g._id)))}
      />
      {updates &&
        (['resolve', 'unresolve', 'hide', 'show'] as const).map((what) => (
          <Button key={what} size="xs" variant="default" disabled={idle} onClick={() => act(what)}>
            {t(`crashes.do.${what}`)}
          </Button>
        ))}
      {updates && (
        <Button size="xs" variant="default" disabled={ids.length < 2 || decide.isPending} onClick={() => act('merge')}>
          {t('crashes.do.merge')}
        </Button>
      )}
      {deletes && (
        <Button size="xs" variant="default" disabled={idle} {...(idle ? {} : { c: 'red' })} onClick={() => setDeleting(true)}>
          {t('app.delete')}
        </Button>
      )}
      {deleting && (
        <ConfirmDelete
          what={t('crashes.picked', { count: ids.length })}
          id={{ ids, what: 'delete' as const }}
          remove={decide}
          done={t('crashes.done.delete', { count: ids.length })}
          onClose={() => setDeleting(false)}
          onDone={() => {
            setDeleting(false);
            onPicked(nobody);
          }}
        />
      )}
    </Group>
  );
}
