import { Button, MultiSelect, NumberInput, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { Conditions } from '../../components/filter/Conditions';
import { grouped, type Field } from '../../components/filter/field';
import { useFormat } from '../../i18n';
import { directions, kinds, most, usualFlow, type Bound, type Draft } from './draft';
import type { Steps } from './useSteps';
import './flows.css';

/** Windows to choose from, in seconds. */
const windows = [600, 1800, 3600, 86_400, 7 * 86_400, 30 * 86_400];

interface Props {
  app: App;
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  steps: Steps;
  fields: readonly Field[];
}

/** Puts a flow together: what it is about, which way, how far, within what, and what counts. */
export function Controls({ app, draft, change, steps, fields }: Props) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState<boolean>();
  const { kind, at, end, direction, by, filter, hidden, rest } = draft;
  const narrows = opened ?? Object.keys(filter).length > 0;
  const options = steps.options[kind];
  const withAll = (chosen: readonly string[]) => {
    const listed = new Set(options.flatMap(({ items }) => items.map(({ value }) => value)));
    const gone = chosen.filter((step) => step !== '' && !listed.has(step)).map((value) => ({ value, label: steps.nameOf(value) }));
    return gone.length === 0 ? options : [...options, { group: t('events.unlisted'), items: gone }];
  };
  const { at: ofAt, end: ofEnd, ...others } = rest;
  const unlisted = by !== '' && !fields.some((f) => f.path === by) ? [{ group: '', items: [{ value: by, label: by }] }] : [];
  return (
    <section className="card pad no-print" aria-label={t('flows.builder')}>
      <Stack gap="sm">
        <div className="flow-controls">
          <div>
            <Text size="sm" fw={600} mb={4} aria-hidden>
              {t('flows.kind')}
            </Text>
            <SegmentedControl
              fullWidth
              aria-label={t('flows.kind')}
              value={kind}
              onChange={(next) => change({ kind: next, at: usualFlow.at, end: '', hidden: [], rest: {} })}
              data={kinds.map((value) => ({ value, label: t(`nav.${value}`) }))}
            />
          </div>
          <Select
            label={t('flows.direction')}
            allowDeselect={false}
            value={direction}
            data={directions.map((value) => ({ value, label: t(`flows.directions.${value}`) }))}
            onChange={(next) => next !== null && change({ direction: next, ...(next === 'before' ? { end: '' } : {}) })}
          />
          <Select
            label={t(direction === 'before' ? 'flows.target' : 'flows.at')}
            allowDeselect={false}
            searchable
            value={at}
            data={withAll([at])}
            nothingFoundMessage={t('events.noEvent')}
            onChange={(step) => step !== null && change({ at: step, rest: ofEnd === undefined ? others : { ...others, end: ofEnd } })}
          />
          {direction !== 'before' && (
            <Select
              label={t('flows.end')}
              placeholder={t('flows.anyEnd')}
              searchable
              clearable
              clearButtonProps={{ 'aria-label': t('filters.clearOne', { what: t('flows.end') }) }}
              value={end === '' ? null : end}
              data={withAll([end])}
              nothingFoundMessage={t('events.noEvent')}
              onChange={(step) => change({ end: step ?? '', rest: ofAt === undefined ? others : { ...others, at: ofAt } })}
            />
          )}
          <BoundChoice bound={draft.bound} onChange={(bound) => change({ bound })} />
          <Count label={t('flows.steps')} value={draft.steps} most={most.steps} onChange={(n) => change({ steps: n })} />
          <Count label={t('flows.nodes')} value={draft.nodes} most={most.nodes} onChange={(n) => change({ nodes: n })} />
          <Select
            label={t('flows.by')}
            placeholder={t('flows.byNothing')}
            searchable
            clearable
            clearButtonProps={{ 'aria-label': t('filters.clearOne', { what: t('flows.by') }) }}
            value={by === '' ? null : by}
            data={[...grouped(fields, [by]), ...unlisted]}
            nothingFoundMessage={t('filter.noProperty')}
            onChange={(path) => change({ by: path ?? '' })}
          />
          <MultiSelect
            label={t('flows.hidden')}
            placeholder={hidden.length === 0 ? t('flows.hiddenNothing') : ''}
            searchable
            clearable
            clearButtonProps={{ 'aria-label': t('filters.clearOne', { what: t('flows.hidden') }) }}
            value={hidden}
            data={withAll(hidden)}
            nothingFoundMessage={t('events.noEvent')}
            onChange={(next) => change({ hidden: next })}
          />
          <div>
            <Button variant={Object.keys(filter).length === 0 ? 'default' : 'light'} aria-expanded={narrows} onClick={() => setOpened(!narrows)}>
              {t('flows.filter')}
            </Button>
          </div>
        </div>
        {narrows && (
          <div role="group" aria-label={t('flows.filter')}>
            <Text size="xs" c="dimmed" mb="xs">
              {t('flows.filterHint')}
            </Text>
            <Conditions app={app} fields={fields} filter={filter} onChange={(next) => change({ filter: next })} />
          </div>
        )}
        {Object.keys(rest).length > 0 && (
          <Text size="sm" c="dimmed">
            {t('flows.foreign')}{' '}
            <Button size="compact-sm" variant="subtle" onClick={() => change({ rest: {} })}>
              {t('flows.foreignAway')}
            </Button>
          </Text>
        )}
      </Stack>
    </section>
  );
}

/** What a path stays within. */
function BoundChoice({ bound, onChange }: { bound: Bound; onChange: (bound: Bound) => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const all = typeof bound === 'number' && !windows.includes(bound) ? [...windows, bound] : windows;
  return (
    <Select
      label={t('flows.bound')}
      allowDeselect={false}
      value={String(bound)}
      data={[
        { value: 'session', label: t('flows.bounds.session') },
        ...all.map((seconds) => ({ value: String(seconds), label: t('flows.bounds.window', { time: format.duration(seconds) }) })),
        { value: 'user', label: t('flows.bounds.user') },
      ]}
      onChange={(next) => next !== null && onChange(next === 'session' || next === 'user' ? next : Number(next))}
    />
  );
}

function Count({ label, value, most: largest, onChange }: { label: string; value: number; most: number; onChange: (n: number) => void }) {
  return (
    <NumberInput
      label={label}
      min={1}
      max={largest}
      clampBehavior="strict"
      allowDecimal={false}
      allowNegative={false}
      value={value}
      onChange={(n) => typeof n === 'number' && n >= 1 && n <= largest && onChange(n)}
    />
  );
}
