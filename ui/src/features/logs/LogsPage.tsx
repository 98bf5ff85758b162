import { Button, Group, Select, Tabs, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { write } from '../../api/client';
import { Answer } from '../../components/Answer';
import { FormDialog } from '../../components/form/FormDialog';
import { Page } from '../../components/Page';
import { toasts } from '../../components/toasts';
import { save } from '../../lib/csv';
import { useView } from '../../lib/useView';
import { logs } from './api';
import { levelOf, levels, linesOf } from './lines';

/** The warnings and errors of the server itself. */
export function LogsPage() {
  const { t } = useTranslation();
  const [view, set] = useView();
  const query = useQuery(logs);
  const names = Object.keys(query.data ?? {});
  const name = names.includes(view.tab) ? view.tab : (names[0] ?? '');
  return (
    <Page title={t('nav.logs')} lead={t('logs.lead')}>
      <Answer query={query}>
        {(all) => (
          <Tabs value={name} onChange={(next) => set({ tab: next ?? '', q: '' })} keepMounted={false}>
            <Tabs.List mb="md" aria-label={t('nav.logs')}>
              {names.map((one) => (
                <Tabs.Tab key={one} value={one}>
                  {t(`logs.names.${one as 'api'}`, { defaultValue: one })}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            {names.map((one) => (
              <Tabs.Panel key={one} value={one}>
                <Log name={one} text={all[one] ?? ''} />
              </Tabs.Panel>
            ))}
          </Tabs>
        )}
      </Answer>
    </Page>
  );
}

function Log({ name, text }: { name: string; text: string }) {
  const { t } = useTranslation();
  const [view, set] = useView();
  const [clearing, setClearing] = useState(false);
  const level = levels.find((l) => l === view.segment);
  const lines = linesOf(text, view.q, level);
  return (
    <div className="card pad stack">
      <Group justify="space-between" gap="sm">
        <Group gap="sm">
          <TextInput
            type="search"
            aria-label={t('table.searchIn', { what: t('nav.logs') })}
            placeholder={t('table.search')}
            value={view.q}
            onChange={(e) => set({ q: e.currentTarget.value })}
          />
          <Select
            aria-label={t('logs.level')}
            placeholder={t('logs.level')}
            w={150}
            clearable
            clearButtonProps={{ 'aria-label': t('filters.clearOne', { what: t('logs.level') }) }}
            value={level ?? null}
            data={levels.map((value) => ({ value, label: t(`logs.levels.${value}`) }))}
            onChange={(next) => set({ segment: next ?? '' })}
          />
        </Group>
        <Group gap="xs">
          <Button variant="default" disabled={text === ''} onClick={() => save(`quipu-${name}.log`, new Blob([text], { type: 'text/plain;charset=utf-8' }))}>
            {t('save.download')}
          </Button>
          <Button variant="default" c="red" disabled={text === ''} onClick={() => setClearing(true)}>
            {t('logs.clear')}
          </Button>
        </Group>
      </Group>
      {lines.length === 0 ? (
        <Text c="dimmed" ta="center" py="lg">
          {text === '' ? t('logs.none') : t('table.notFound', { q: view.q })}
        </Text>
      ) : (
        <pre className="code log" tabIndex={0} role="region" aria-label={t('nav.logs')}>
          {lines.map((line, i) => (
            <div key={`${i} ${line.slice(0, 40)}`} data-level={levelOf(line)}>
              {line}
            </div>
          ))}
        </pre>
      )}
      {clearing && <Clear name={name} onClose={() => setClearing(false)} />}
    </div>
  );
}

function Clear({ name, onClose }: { name: string; onClose: () => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const clear = useMutation({
    mutationFn: () => write('/i/errorlogs', { log: name }),
    onSuccess: () => queries.invalidateQueries({ queryKey: logs.queryKey }),
  });
  return (
    <FormDialog
      title={t('logs.clear')}
      button={t('logs.clear')}
      danger
      pending={clear.isPending}
      error={clear.error}
      onClose={onClose}
      onSubmit={() =>
        clear.mutate(undefined, {
          onSuccess: () => {
            toasts.show(t('logs.cleared'));
            onClose();
          },
        })
      }
    >
      {t('logs.clearHint')}
    </FormDialog>
  );
}
