import { Button, Group, Stack, Switch, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Conditions } from '../../components/filter/Conditions';
import { readFilter } from '../../components/filter/filter';
import { Detail } from '../../components/Detail';
import { ErrorNote } from '../../components/ErrorNote';
import { toasts } from '../../components/toasts';
import { useView } from '../../lib/useView';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import type { App } from '../../access/apps';
import { savedViews, segmentPage, useDeleteView, useSaveView, type SavedView } from '../saved/api';
import { useScopeFields } from './useScopeFields';

/** Puts the page's filter together, keeps it as a segment, and takes one that was kept. */
export function FilterDrawer({ app, events, onClose }: { app: App; events: readonly string[]; onClose: () => void }) {
  const { t } = useTranslation();
  const [view, set] = useView();
  const fields = useScopeFields(app, events);
  const change = (filter: object) => set({ filter: Object.keys(filter).length === 0 ? '' : JSON.stringify(filter), page: 1 });
  return (
    <Detail title={t('filter.title')} onClose={onClose}>
      <Text size="sm" c="dimmed">
        {t('filter.hint')}
      </Text>
      <Conditions app={app} fields={fields} filter={readFilter(view.filter) ?? {}} onChange={change} />
      {view.filter !== '' && <Keep app={app} filter={view.filter} />}
      <Segments app={app} chosen={view.filter} onChoose={(filter) => set({ filter, page: 1 })} />
      <Group justify="flex-end">
        {view.filter !== '' && (
          <Button variant="default" onClick={() => change({})}>
            {t('filter.clear')}
          </Button>
        )}
        <Button onClick={onClose}>{t('filter.done')}</Button>
      </Group>
    </Detail>
  );
}

/** Keeps the filter under a name, for oneself or for all. */
function Keep({ app, filter }: { app: App; filter: string }) {
  const { t } = useTranslation();
  const member = useQuery(me).data;
  const save = useSaveView(app._id);
  const [name, setName] = useState('');
  const [shared, setShared] = useState(false);
  return (
    <form
      onSubmit={(e) => {
        e.preventDefault();
        save.mutate(
          { name: name.trim(), page: segmentPage, shared, state: filter },
          {
            onSuccess: () => {
              toasts.show(t('filter.kept'));
              setName('');
            },
          },
        );
      }}
    >
      <Stack gap="xs">
        <Group gap="xs" align="flex-end" wrap="nowrap">
          <TextInput flex={1} label={t('filter.keep')} placeholder={t('filter.keepName')} value={name} maxLength={200} onChange={(e) => setName(e.currentTarget.value)} />
          <Button type="submit" variant="default" disabled={name.trim() === ''} loading={save.isPending}>
            {t('app.save')}
          </Button>
        </Group>
        {member !== undefined && may(member, app._id, 'core', 'c') && (
          <Switch label={t('explore.share')} checked={shared} onChange={(e) => setShared(e.currentTarget.checked)} />
        )}
        {save.error !== null && <ErrorNote error={save.error} />}
      </Stack>
    </form>
  );
}

/** The segments that one kept, and those that others share. */
function Segments({ app, chosen, onChoose }: { app: App; chosen: string; onChoose: (filter: string) => void }) {
  const { t } = useTranslation();
  const list = (useQuery(savedViews(app._id)).data ?? []).filter((v) => v.page === segmentPage);
  const remove = useDeleteView(app._id);
  if (list.length === 0) return null;
  return (
    <section aria-label={t('filter.segments')}>
      <Title order={3} size="h5" mb="xs">
        {t('filter.segments')}
      </Title>
      <Stack gap={4}>
        {list.map((segment: SavedView) => (
          <Group key={segment._id} gap="xs" wrap="nowrap">
            <Button flex={1} variant={segment.state === chosen ? 'light' : 'subtle'} justify="flex-start" size="compact-md" aria-pressed={segment.state === chosen} onClick={() => onChoose(segment.state)}>
              {segment.name}
            </Button>
            <Text size="xs" c="dimmed">
              {t(segment.shared ? 'explore.everyone' : 'explore.onlyMe')}
            </Text>
            {segment.may_change && (
              <Button variant="subtle" color="red" size="compact-xs" aria-label={t('app.deleteWhat', { what: segment.name })} onClick={() => remove.mutate(segment._id)}>
                {t('app.delete')}
              </Button>
            )}
          </Group>
        ))}
      </Stack>
    </section>
  );
}
