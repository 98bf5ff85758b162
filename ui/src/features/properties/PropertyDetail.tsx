import { Anchor, Loader, Select, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { Detail } from '../../components/Detail';
import { ErrorNote } from '../../components/ErrorNote';
import { Form } from '../../components/form/Form';
import { FieldList } from '../../components/Section';
import { toasts } from '../../components/toasts';
import { useFormat } from '../../i18n';
import { decodeName } from '../../lib/wire';
import { sessionKey, type useEventNames } from '../../parts/events/useEventNames';
import { listText } from '../../parts/trends/report';
import { frequent, known, mostValues, searched, type useEditProperties } from './api';
import { nameOf, type Row } from './rows';
import './properties.css';

interface Props {
  app: App;
  row: Row;
  names: ReturnType<typeof useEventNames>;
  /** Whether rows may be asked. */
  drills: boolean;
  mayEdit: boolean;
  edit: ReturnType<typeof useEditProperties>;
  onClose: () => void;
}

/** A property: what people say about it, what is known of it, and its values. */
export function PropertyDetail({ app, row, names, drills, mayEdit, edit, onClose }: Props) {
  const { t } = useTranslation();
  const [event, choose] = useState(row.of === 'event' ? (row.events[0] ?? '') : sessionKey);
  return (
    <Detail title={nameOf(row)} onClose={onClose}>
      {mayEdit ? <Says row={row} edit={edit} /> : <FieldList fields={[[t('properties.description'), row.description === '' ? '–' : row.description]]} />}
      {drills && row.events.length > 1 && (
        <Select label={t('properties.at')} description={t('properties.atHint')} allowDeselect={false} searchable value={event} data={row.events.map((key) => ({ value: key, label: names.nameOf(key) }))} onChange={(key) => key !== null && choose(key)} />
      )}
      {drills ? <Facts app={app} row={row} event={event} names={names} /> : <Text size="sm">{t('properties.noRight')}</Text>}
      {drills && row.kind !== 'moment' && <Values app={app} row={row} event={event} />}
      {drills && (
        <Anchor
          size="sm"
          renderRoot={(props) => <Link {...props} to="/apps/$appId/trends" params={{ appId: app._id }} search={{ events: listText([event]), segment: listText([row.path]) }} />}
        >
          {t('properties.toTrends')}
        </Anchor>
      )}
    </Detail>
  );
}

/** What people call a property, what it means, and whether it is offered. */
function Says({ row, edit }: Pick<Props, 'row' | 'edit'>) {
  const { t } = useTranslation();
  const [label, setLabel] = useState(row.label);
  const [description, describe] = useState(row.description);
  const [hidden, hide] = useState(row.hidden);
  return (
    <Form
      pending={edit.isPending}
      error={edit.error}
      onSubmit={() => edit.mutate({ [row.path]: { label: label.trim(), description: description.trim(), hidden } }, { onSuccess: () => toasts.show(t('properties.saved')) })}
    >
      <TextInput label={t('properties.label')} description={t('properties.labelHint', { path: row.path })} placeholder={row.name} value={label} onChange={(e) => setLabel(e.currentTarget.value)} maxLength={200} data-autofocus />
      <Textarea label={t('properties.description')} value={description} onChange={(e) => describe(e.currentTarget.value)} maxLength={2000} autosize minRows={2} maxRows={6} />
      <Switch label={t('properties.offer')} description={t('properties.offerHint')} checked={!hidden} onChange={(e) => hide(!e.currentTarget.checked)} />
    </Form>
  );
}

/** What is known of a property. */
function Facts({ app, row, event, names }: Pick<Props, 'app' | 'row' | 'names'> & { event: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data, error } = useQuery(known(app._id, event));
  if (error !== null && data === undefined) return <ErrorNote error={error} />;
  if (data === undefined) return <Loader size="sm" aria-label={t('state.loading')} />;
  const about = row.of === 'event' ? data.sg[row.name] : data.up[row.path.replace(/^up\./, '')];
  const moment = (ms: number | undefined) => (ms === undefined ? '–' : format.moment(ms, app.timezone));
  const places = about?.events ?? row.events;
  const more = (about?.event_count ?? places.length) - places.length;
  const fields: (readonly [string, string])[] = [
    [t('properties.path'), row.path],
    [t('properties.type'), about?.format === 'date' || about?.format === 'datetime' || about?.format === 'boolean' ? t(`properties.format.${about.format}`) : t(`properties.kind.${row.kind}`)],
    [t('properties.count'), about?.count === undefined ? '–' : format.count(about.count)],
    [t(row.of === 'event' ? 'properties.rows' : 'properties.people'), about?.rows === undefined ? '–' : format.count(about.rows)],
    ...(row.of === 'event' ? [[t('properties.first'), moment(about?.first)] as const] : []),
    [t('properties.last'), moment(about?.last)],
    ...(row.of === 'event' ? [[t('nav.events'), places.map(names.nameOf).join(', ') + (more > 0 ? ` ${t('properties.moreEvents', { count: more })}` : '')] as const] : []),
  ];
  return <FieldList fields={fields} />;
}

/** The most frequent values of a property, or those that hold a text. */
function Values({ app, row, event }: Pick<Props, 'app' | 'row'> & { event: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text.trim(), 300);
  const top = useQuery(frequent(app._id, event, row.path));
  const found = useQuery(searched(app._id, event, row.path, search));
  const write = (value: unknown) => (value === null ? t('properties.absent') : decodeName(typeof value === 'string' ? value : JSON.stringify(value)));
  const error = search === '' ? top.error : found.error;
  const { all = 0, total = 0, values = [] } = top.data ?? {};
  const shareOf = (times: number) => (all === 0 ? 0 : times / all);
  return (
    <section aria-label={t('properties.values')}>
      <TextInput label={t('properties.values')} description={t('properties.valuesHint')} placeholder={t('properties.search')} type="search" value={text} onChange={(e) => setText(e.currentTarget.value)} mb="xs" />
      {error !== null && <ErrorNote error={error} />}
      {search === '' ? (
        <>
          <ol className="property-values" aria-label={t('properties.values')}>
            {values.map(({ value, times }) => (
              <li key={JSON.stringify(value)}>
                <bdi className="breakable">{write(value)}</bdi>
                <span>{format.count(times)}</span>
                <span>{format.share(shareOf(times))}</span>
                <span className="property-bar" style={{ inlineSize: `${String(shareOf(times) * 100)}%` }} aria-hidden />
              </li>
            ))}
          </ol>
          {total > mostValues && (
            <Text size="xs" c="dimmed">
              {t('properties.moreValues', { shown: mostValues, total: format.count(total) })}
            </Text>
          )}
        </>
      ) : (
        <>
          <Text size="xs" c="dimmed" role="status">
            {found.data === undefined ? '' : t('properties.found', { count: found.data.total, number: format.count(found.data.total) })}
          </Text>
          <ul className="property-found">
            {(found.data?.values ?? []).slice(0, 100).map((value, at) => (
              <li key={value} className="breakable">
                <bdi>{decodeName(value)}</bdi>
                {found.data?.counts?.[at] !== undefined && (
                  <Text span size="xs" c="dimmed" ml="xs">
                    {format.count(found.data.counts[at])}
                  </Text>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
