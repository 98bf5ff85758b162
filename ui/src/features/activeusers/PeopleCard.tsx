import { Anchor, SegmentedControl, Select, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Answer } from '../../components/Answer';
import { Section } from '../../components/Section';
import type { Column } from '../../components/table/columns';
import { DataTable } from '../../components/table/DataTable';
import { useFormat } from '../../i18n';
import { fileNamed } from '../../lib/csv';
import { useTime, useView } from '../../lib/useView';
import { carried } from '../../lib/view';
import type { Behind } from '../../parts/trends/api';
import { nameOfPerson } from '../../parts/trends/report';
import type { Shared } from './ActiveUsersPage';
import { people, spanOfWindow, type Window } from './api';

const keys = ['d', 'w', 'm'] as const;

/** Who was active on the last day, or in the 7 or 30 days up to it. */
export function PeopleCard({ app, question: { events }, names }: Shared) {
  const { t } = useTranslation();
  const format = useFormat();
  const [view] = useView();
  const { span } = useTime(app);
  const [key, setKey] = useState<Window>('d');
  const [chosen, setChosen] = useState('');
  const event = events.find((one) => one === chosen) ?? events[0] ?? '';
  const days = spanOfWindow(span, app.timezone, key);
  const title = t('active.people');
  const columns: Column<Behind>[] = [
    {
      key: 'name',
      title: t('profiles.person'),
      fixed: true,
      value: nameOfPerson,
      text: nameOfPerson,
      cell: (p) => (
        <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/apps/$appId/profiles/$uid" params={{ appId: app._id, uid: p.uid }} search={carried(view)} />}>
          {nameOfPerson(p)}
        </Anchor>
      ),
    },
    { key: 't', title: t('trends.measure.t'), numeric: true, value: (p) => p.t, text: (p) => format.count(p.t) },
    { key: 'last', title: t('trends.last'), short: true, value: (p) => p.last, text: (p) => format.moment(p.last, app.timezone) },
  ];
  return (
    <Section
      title={title}
      lead={days.from === days.to ? format.day(days.to) : format.days(days.from, days.to)}
      actions={
        <>
          {events.length > 1 && (
            <Select size="xs" aria-label={t('active.with')} allowDeselect={false} value={event} onChange={(next) => setChosen(next ?? '')} data={events.map((value) => ({ value, label: names.nameOf(value) }))} />
          )}
          <SegmentedControl
            size="xs"
            className="no-print"
            aria-label={t('active.window')}
            value={key}
            onChange={(next) => setKey(keys.find((one) => one === next) ?? 'd')}
            data={keys.map((value) => ({ value, label: t(`active.days.${value}`) }))}
          />
        </>
      }
    >
      <Answer query={useQuery(people(app, event, days))}>
        {({ total, users }) => (
          <>
            <Text size="sm" c="dimmed">
              {t('trends.peopleCount', { count: total, number: format.count(total) })}
              {total > users.length && ` · ${t('trends.peopleFirst', { number: format.count(users.length) })}`}
            </Text>
            {users.length > 0 && <DataTable caption={title} columns={columns} rows={users} file={fileNamed([t('nav.active'), title], days)} pageSize={10} />}
          </>
        )}
      </Answer>
    </Section>
  );
}
