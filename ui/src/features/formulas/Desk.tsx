import { Button, Group, Menu, NumberInput, Select, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import type { App } from '../../access/apps';
import { useModules } from '../../access/useModules';
import { CodeField, type CodeHandle } from '../../components/code/CodeField';
import { grouped } from '../../components/filter/field';
import { FormulaIcon } from '../../components/icons';
import { Notice } from '../../components/States';
import { useView } from '../../lib/useView';
import { WaysOn } from '../../parts/empty/WaysOn';
import { useEventNames } from '../../parts/events/useEventNames';
import { FilterBar } from '../../parts/filters/filtered';
import { useScopeFields } from '../../parts/filters/useScopeFields';
import { checked, type Formula } from './api';
import { Course } from './Course';
import { formulaLanguage } from './language';
import { figures, names as functionNames, unitsOf } from './place';
import { Sample } from './Sample';
import { SaveDialog } from './SaveDialog';
import { useKnown } from './useKnown';
import { currencies, isCurrency, kinds, parseShown, shownOf, shownText, usualShown, type Kind, type Shown } from './value';
import './formulas.css';

/** How long is waited, in ms, until what is written is looked at. */
const pause = 300;
/** How many characters of a formula the address holds at most. */
const longest = 1800;
const said = 'formula-said';

interface Props {
  app: App;
  list: readonly Formula[];
  opened: Formula | undefined;
}

/** Where a formula is written, drawn while one types, and kept. */
export function Desk({ app, list, opened }: Props) {
  const { t } = useTranslation();
  const [view, set] = useView();
  const member = useQuery(me).data;
  const modules = useModules();
  const names = useEventNames(app._id);
  const known = useKnown(app, names);
  const language = useMemo(() => formulaLanguage(known), [known]);
  const kept = opened?.formula ?? '';
  const [text, write] = useState(view.figure === '' ? kept : view.figure);
  const [asked] = useDebouncedValue(text, pause);
  const check = useQuery({ ...checked(app._id, asked), placeholderData: keepPreviousData });
  const [saving, save] = useState<'change' | 'new'>();
  const editor = useRef<CodeHandle>(null);
  const answer = asked.trim() === '' ? undefined : check.data;
  const [sound, keep] = useState<{ text: string; events: readonly string[]; seconds: boolean }>();
  if (answer?.correct === true && !check.isPlaceholderData && asked !== sound?.text) keep({ text: asked, events: answer.events ?? [], seconds: answer.seconds === 1 });
  const fields = useScopeFields(app, sound?.events ?? []);
  const seconds = sound?.seconds === true;
  const usual: Shown = opened === undefined ? (seconds ? { ...usualShown, kind: 'duration' } : usualShown) : shownOf(opened);
  const shown = parseShown(view.tab) ?? usual;
  const show = (part: Partial<Shown>) => {
    const next = { ...shown, ...part };
    set({ tab: shownText(next) === shownText(usual) ? '' : shownText(next) });
  };
  // The address holds what is written, so that a link shows the same.
  const held = asked === kept || asked.length > longest ? '' : asked;
  useEffect(() => {
    if (held !== view.figure) set({ figure: held });
    // What the address says is read once, when the page opens.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [held]);
  const wrong = answer?.correct === false && !check.isPlaceholderData && asked === text ? answer : undefined;
  const at = wrong === undefined ? undefined : unitsOf(text, wrong.at ?? 0);
  const events = names.options.flatMap((o) => o.items);
  const can = (action: 'c') => member !== undefined && may(member, app._id, 'formulas', action);
  const cuts = member !== undefined && may(member, app._id, 'drill', 'r') && modules?.includes('drill') === true;
  const drawn = text.trim() !== '' && sound !== undefined;
  return (
    <>
      <FilterBar app={app} events={sound?.events ?? []} />
      <section className="card pad no-print" aria-label={opened === undefined ? t('formulas.new') : t('formulas.change')}>
        {opened !== undefined && (
          <Text fw={600} mb={4} className="breakable">
            {opened.title}
          </Text>
        )}
        {opened !== undefined && opened.description !== '' && (
          <Text size="sm" c="dimmed" mb="xs" className="breakable">
            {opened.description}
          </Text>
        )}
        <div className="formula-field">
          <CodeField label={t('formulas.formula')} hint={t('formulas.hint')} value={text} language={language} onChange={write} handle={editor} wrong={at} wrongBy={said} />
        </div>
        <div id={said} role="status" className="formula-wrong">
          {wrong === undefined ? (
            <Text size="xs" c="dimmed">
              {t('formulas.keys')}
            </Text>
          ) : (
            <Group gap="xs">
              <Text size="sm" className="formula-error">
                {t('formulas.wrong', { error: t(`formulas.faults.${wrong.code ?? ''}` as 'formulas.faults.mixed', { of: wrong.of ?? '', defaultValue: wrong.error ?? '' }), at: (wrong.at ?? 0) + 1 })}
              </Text>
              <Button size="compact-xs" variant="default" onClick={() => editor.current?.show(at ?? 0)}>
                {t('formulas.showPlace')}
              </Button>
            </Group>
          )}
        </div>
        <Group gap="xs" mt="xs">
          <Functions onPick={(name) => editor.current?.insert(name in figures ? `${name}("")` : `${name}()`, name in figures ? 2 : 1)} />
          {events.slice(0, 1).map(({ value }) =>
            examples(value).map(([id, formula]) => (
              <Button key={id} size="compact-xs" variant="subtle" onClick={() => write(formula)}>
                {t(`formulas.example.${id}`)}
              </Button>
            )),
          )}
        </Group>
        <div className="formula-controls">
          <Select
            label={t('formulas.kind')}
            allowDeselect={false}
            value={shown.kind}
            data={kinds.map((kind) => ({ value: kind, label: t(`formulas.kinds.${kind}`) }))}
            onChange={(kind) => kind !== null && show(ofKind(kind, shown))}
          />
          {shown.kind !== 'integer' && shown.kind !== 'duration' && <NumberInput label={t('formulas.places')} min={0} max={10} allowDecimal={false} clampBehavior="strict" value={shown.places} onChange={(n) => typeof n === 'number' && show({ places: n })} />}
          {shown.kind === 'currency' && (
            <Select label={t('formulas.currency')} searchable allowDeselect={false} value={shown.unit} data={[...new Set([...currencies, shown.unit])]} onChange={(unit) => unit !== null && show({ unit })} />
          )}
          {(shown.kind === 'number' || shown.kind === 'integer') && <TextInput label={t('formulas.unit')} placeholder={t('formulas.unitHint')} maxLength={40} value={shown.unit} onChange={(e) => show({ unit: e.currentTarget.value })} />}
          {cuts && (
            <Select
              label={t('formulas.by')}
              placeholder={t('formulas.byNothing')}
              searchable
              clearable
              clearButtonProps={{ 'aria-label': t('filters.clearOne', { what: t('formulas.by') }) }}
              nothingFoundMessage={t('filter.noProperty')}
              value={view.segment === '' ? null : view.segment}
              data={fields.some((f) => f.path === view.segment) || view.segment === '' ? grouped(fields, [view.segment]) : [...grouped(fields), { group: '', items: [{ value: view.segment, label: view.segment }] }]}
              onChange={(path) => set({ segment: path ?? '' })}
            />
          )}
        </div>
        {can('c') && (
          <Group gap="xs" mt="md">
            <Button disabled={wrong !== undefined || text.trim() === ''} onClick={() => save(opened === undefined ? 'new' : 'change')}>
              {t('app.save')}
            </Button>
            {opened !== undefined && (
              <Button variant="default" disabled={wrong !== undefined || text.trim() === ''} onClick={() => save('new')}>
                {t('formulas.saveNew')}
              </Button>
            )}
            {opened !== undefined && (text !== kept || view.tab !== '') && (
              <Button
                variant="subtle"
                onClick={() => {
                  write(kept);
                  set({ figure: '', tab: '' });
                }}
              >
                {t('formulas.discard')}
              </Button>
            )}
          </Group>
        )}
      </section>
      {drawn ? (
        <Course app={app} formula={sound.text} title={opened !== undefined && sound.text === kept ? opened.title : t('formulas.preview')} shown={shown} events={sound.events} by={cuts ? view.segment : ''} fields={fields} names={names} />
      ) : (
        <div className="card">
          <Notice icon={<FormulaIcon size={26} />} title={t('formulas.begin')} text={t(events.length === 0 ? 'formulas.noEvents' : 'formulas.beginHint')} action={events.length === 0 ? <WaysOn app={app} /> : undefined} />
          <Sample />
        </div>
      )}
      {saving !== undefined && (
        <SaveDialog
          app={app}
          list={list}
          formula={text}
          shown={shown}
          of={saving === 'change' ? opened : undefined}
          from={opened}
          onSaved={(id) => {
            save(undefined);
            set({ open: id, figure: '', tab: '' });
          }}
          onClose={() => save(undefined)}
        />
      )}
    </>
  );
}

/** How values are shown where another kind is chosen: money has a currency, everything else none. */
function ofKind(kind: Kind, { unit }: Shown): Partial<Shown> {
  if (kind === 'currency') return { kind, unit: isCurrency(unit) ? unit : currencies[0] };
  return { kind, ...(isCurrency(unit) || kind === 'percent' || kind === 'duration' ? { unit: '' } : {}) };
}

/** Formulas to begin with, of an event of the app. */
function examples(event: string): [id: 'perSession' | 'perUser' | 'share', formula: string][] {
  const key = JSON.stringify(event);
  return [
    ['perSession', `count(${key}) / sessions()`],
    ['perUser', `sum(${key}) / users(${key})`],
    ['share', `users(${key}) / users()`],
  ];
}

/** The figures and functions that formulas have, each with what it is; choosing one puts it where the cursor is. */
function Functions({ onPick }: { onPick: (name: string) => void }) {
  const { t } = useTranslation();
  return (
    <Menu position="bottom-start" width={320} withinPortal returnFocus={false}>
      <Menu.Target>
        <Button size="compact-xs" variant="default">
          {t('formulas.insert')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className="formula-functions">
        {functionNames.map((name) => (
          <Menu.Item key={name} onClick={() => onPick(name)}>
            <span className="formula-name">{name}</span>
            <Text span size="xs" c="dimmed">
              {t(`formulas.about.${name}`)}
            </Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
