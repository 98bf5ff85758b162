import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { Answer } from '../../components/Answer';
import { Detail } from '../../components/Detail';
import type { Column } from '../../components/table/columns';
import { DataTable } from '../../components/table/DataTable';
import { useFormat } from '../../i18n';
import { fileNamed } from '../../lib/csv';
import { useTime, useView } from '../../lib/useView';
import { carried } from '../../lib/view';
import { SaveCohort } from '../cohorts/SaveCohort';
import { behind, everyoneBehind, type Behind, type Question, type Whom } from './api';
import { nameOfPerson } from './report';

const everyone: Whom = {};

/** The people behind a report of an event, or behind a part of it, those who did it most often first. */
export function People({ app, question, whom = everyone, name, onClose }: { app: App; question: Question; whom?: Whom; name: string; onClose: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [view] = useView();
  const { span } = useTime(app);
  const title = t('trends.peopleOf', { event: name });
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
    <Detail title={title} onClose={onClose}>
      <Answer query={useQuery(behind(app, question, whom))}>
        {({ total, users }) => (
          <>
            <Text size="sm" c="dimmed">
              {t('trends.peopleCount', { count: total, number: format.count(total) })}
              {total > users.length && ` · ${t('trends.peopleFirst', { number: format.count(users.length) })}`}
            </Text>
            {total > 0 && (
              <div>
                <SaveCohort app={app} whom={{ count: total, find: () => everyoneBehind(app, question, whom) }} />
              </div>
            )}
            <DataTable caption={title} columns={columns} rows={users} file={fileNamed([title], span)} pageSize={10} />
          </>
        )}
      </Answer>
    </Detail>
  );
}
