import { ActionIcon, Button, Group as Row, MultiSelect, NumberInput, SegmentedControl, Select, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PlusIcon, TrashIcon } from '../icons';
import { momentIn, wallClock } from '../../lib/period';
import { valuesOf } from './api';
import { grouped, type Field } from './field';
import { isGroup, needs, operatorsOf, ruleOf, type Group, type Rule } from './filter';
import './filter.css';

/** How deep groups may lie in each other. */
const deepest = 3;

interface Props {
  appID: string;
  /** The zone in which days are meant. */
  zone: string;
  fields: readonly Field[];
  value: Group;
  onChange: (value: Group) => void;
}

/** Puts conditions together: typed by the property, in groups of which all or any must hold. */
export function FilterEditor(props: Props) {
  return <GroupEditor {...props} depth={1} />;
}

interface PartProps extends Props {
  depth: number;
  onRemove?: () => void;
}

function GroupEditor({ depth, value, onChange, onRemove, ...rest }: PartProps) {
  const { t } = useTranslation();
  const { fields } = rest;
  const first = fields.find((f) => f.hidden !== true);
  const adds = useRef<HTMLButtonElement>(null);
  const replace = (i: number, part: Rule | Group) => onChange({ ...value, parts: value.parts.map((p, j) => (j === i ? part : p)) });
  const remove = (i: number) => {
    onChange({ ...value, parts: value.parts.filter((_, j) => j !== i) });
    adds.current?.focus(); // the button that was pressed goes with its condition
  };
  const add = (part: Rule | Group) => onChange({ ...value, parts: [...value.parts, part] });
  return (
    <div className="filter-group" data-depth={depth} role="group" aria-label={t('filter.group', { depth })}>
      {(value.parts.length > 1 || depth > 1) && (
        <Row justify="space-between" gap="xs" mb="xs">
          <SegmentedControl
            size="xs"
            aria-label={t('filter.combine')}
            value={value.all ? 'all' : 'any'}
            onChange={(v) => onChange({ ...value, all: v === 'all' })}
            data={[
              { value: 'all', label: t('filter.all') },
              { value: 'any', label: t('filter.any') },
            ]}
          />
          {onRemove !== undefined && <Remove label={t('filter.removeGroup')} onClick={onRemove} />}
        </Row>
      )}
      <Stack gap="xs">
        {value.parts.map((part, i) =>
          isGroup(part) ? (
            <GroupEditor key={i} {...rest} depth={depth + 1} value={part} onChange={(next) => replace(i, next)} onRemove={() => remove(i)} />
          ) : (
            <RuleEditor key={i} {...rest} rule={part} onChange={(next) => replace(i, next)} onRemove={() => remove(i)} />
          ),
        )}
      </Stack>
      {value.parts.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('filter.everything')}
        </Text>
      )}
      <Row gap="xs" mt="xs">
        <Button
          ref={adds}
          size="compact-sm"
          variant="default"
          leftSection={<PlusIcon size={16} />}
          disabled={first === undefined}
          onClick={() => first !== undefined && add(ruleOf(first.path, first.kind))}
        >
          {t('filter.addRule')}
        </Button>
        {depth < deepest && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<PlusIcon size={16} />}
            disabled={first === undefined}
            onClick={() => first !== undefined && add({ all: !value.all, parts: [ruleOf(first.path, first.kind)] })}
          >
            {t('filter.addGroup')}
          </Button>
        )}
      </Row>
    </div>
  );
}

interface RuleProps {
  appID: string;
  zone: string;
  fields: readonly Field[];
  rule: Rule;
  onChange: (rule: Rule) => void;
  onRemove: () => void;
}

function RuleEditor({ appID, zone, fields, rule, onChange, onRemove }: RuleProps) {
  const { t } = useTranslation();
  // A property that is no longer listed keeps its condition.
  const field = fields.find((f) => f.path === rule.path) ?? { path: rule.path, name: rule.path, group: '', kind: 'any' as const, decode: (text: string) => text };
  const data = useMemo(() => grouped(fields, [rule.path]), [fields, rule.path]);
  const choose = (path: string | null) => {
    const next = fields.find((f) => f.path === path);
    if (next === undefined) return;
    onChange(next.kind === field.kind ? { ...rule, path: next.path, texts: [] } : ruleOf(next.path, next.kind));
  };
  return (
    <div className="filter-rule">
      <Select
        aria-label={t('filter.property')}
        data={data}
        value={rule.path}
        onChange={choose}
        searchable
        allowDeselect={false}
        nothingFoundMessage={t('filter.noProperty')}
        maxDropdownHeight={320}
      />
      <Select
        aria-label={t('filter.operator', { property: field.name })}
        data={operatorsOf(field.kind).map((op) => ({ value: op, label: t(`filter.op.${op}`) }))}
        value={rule.op}
        onChange={(op) => op !== null && onChange({ ...rule, op })}
        allowDeselect={false}
      />
      <Value key={field.path} appID={appID} zone={zone} field={field} rule={rule} onChange={onChange} />
      <Remove label={t('filter.removeRule', { property: field.name })} onClick={onRemove} />
    </div>
  );
}

/** The controls for what a property is compared with. */
function Value({ appID, zone, field, rule, onChange }: { appID: string; zone: string; field: Field; rule: Rule; onChange: (rule: Rule) => void }) {
  const { t } = useTranslation();
  const { data: common, isLoading } = useQuery(valuesOf(appID, field.metric));
  const known = field.values ?? common;
  const [typed, setTyped] = useState(''); // stays when the values arrive while someone types
  const label = t('filter.value', { property: field.name });
  const { texts, numbers } = needs(rule.op);
  const setNumber = (i: number, n: number | undefined) => {
    const next = [rule.numbers[0], rule.numbers[1]];
    next[i] = n;
    onChange({ ...rule, numbers: next.slice(0, numbers) });
  };
  if (texts === 'many') {
    const values = [...new Set([...(known ?? []), ...rule.texts])];
    const shared = {
      'aria-label': label,
      value: rule.texts,
      onChange: (list: string[]) => onChange({ ...rule, texts: list }),
      searchValue: typed,
      onSearchChange: setTyped,
      clearable: true,
    };
    const waits = known === undefined && isLoading;
    return waits || (known !== undefined && known.length > 0) ? (
      <MultiSelect
        {...shared}
        data={values.map((v) => ({ value: v, label: field.decode(v) }))}
        searchable
        placeholder={t('filter.choose')}
        nothingFoundMessage={t(waits ? 'state.loading' : 'filter.noValue')}
      />
    ) : (
      <TagsInput {...shared} data={[...(field.suggested ?? [])]} placeholder={t('filter.type')} />
    );
  }
  if (texts === 'one') {
    return <TextInput aria-label={label} value={rule.texts[0] ?? ''} onChange={(e) => onChange({ ...rule, texts: [e.currentTarget.value] })} />;
  }
  if (numbers === 0) return <span />;
  if (field.kind === 'moment') {
    const seconds = rule.numbers[0];
    return (
      <TextInput
        type="date"
        aria-label={label}
        value={seconds === undefined ? '' : wallClock(seconds * 1000, zone).slice(0, 10)}
        onChange={(e) => {
          const ms = momentIn(`${e.currentTarget.value}T00:00`, zone);
          setNumber(0, ms === undefined ? undefined : Math.round(ms / 1000));
        }}
      />
    );
  }
  return (
    <Row gap="xs" wrap="nowrap">
      {Array.from({ length: numbers }, (_, i) => (
        <NumberInput
          key={i}
          aria-label={numbers === 1 ? label : t(i === 0 ? 'filter.least' : 'filter.most', { property: field.name })}
          value={rule.numbers[i] ?? ''}
          onChange={(n) => setNumber(i, typeof n === 'number' ? n : undefined)}
          hideControls
          w="100%"
        />
      ))}
    </Row>
  );
}

function Remove({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <ActionIcon variant="default" size={36} aria-label={label} onClick={onClick}>
      <TrashIcon size={18} />
    </ActionIcon>
  );
}
