import { Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import type { Column } from '../../components/table/columns';
import { DataTable } from '../../components/table/DataTable';
import { useFormat, useLocale } from '../../i18n';
import { fileNamed } from '../../lib/csv';
import { useTime } from '../../lib/useView';
import type { Node } from '../flows/api';
import { stepOf } from '../flows/draft';
import { Sankey } from '../flows/Sankey';
import { useSteps } from '../flows/useSteps';
import { crashKey } from './api';
import { TooFew, Waiting } from './ImpactStates';
import { crashPaths, type Asked, type Leading } from './impactApi';

/** What people did in the session before the crash, and how often sessions with a step end in it. */
export function PathPart({ asked, app, name }: { asked: Asked; app: App; name: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const locale = useLocale();
  const { span } = useTime(app);
  const steps = useSteps(app._id);
  const [task, setTask] = useState<string>();
  const { data, error, refetch } = useQuery({ ...crashPaths(asked, setTask), placeholderData: keepPreviousData });
  if (data === undefined) return <Waiting task={task} error={error} refetch={refetch} />;
  if (data.paths === 0) return <Text size="sm">{t('crashes.impact.noPaths')}</Text>;
  const nameOfNode = (node: Node) => (node.event === crashKey ? name : steps.nameOfNode(node, false));
  const nameOf = (step: Leading) => steps.nameOf(stepOf(step) ?? step.event);
  const lift = (n: number) => t('crashes.impact.times', { times: new Intl.NumberFormat(locale, { maximumSignificantDigits: 2 }).format(n) });
  const columns: Column<Leading>[] = [
    { key: 'step', title: t('flows.step'), fixed: true, value: nameOf, text: nameOf },
    { key: 'sessions', title: t('metric.sessions'), numeric: true, value: (s) => s.sessions, text: (s) => format.count(s.sessions) },
    { key: 'hit', title: t('crashes.impact.ended'), numeric: true, value: (s) => s.hit, text: (s) => format.count(s.hit) },
    { key: 'share', title: t('crashes.impact.endedShare'), numeric: true, form: 'share', value: (s) => s.percent / 100, text: (s) => format.percent(s.percent / 100) },
    { key: 'lift', title: t('crashes.impact.lift'), numeric: true, value: (s) => s.lift, text: (s) => lift(s.lift) },
  ];
  const title = t('crashes.impact.steps');
  return (
    <>
      <Text size="sm">{t('crashes.impact.paths', { count: data.paths, number: format.count(data.paths), users: format.count(data.users) })}</Text>
      <Sankey levels={data.levels} total={data.paths} nameOf={nameOfNode} />
      <Title order={3} size="sm" mt="sm">
        {title}
      </Title>
      {data.few ? (
        <TooFew text={t('crashes.impact.fewSessions', { hit: format.count(data.hit), sessions: format.count(data.sessions) })} />
      ) : (
        <>
          <Text size="sm" c="dimmed">
            {t('crashes.impact.stepsLead', { share: format.percent(data.hit / data.sessions), sessions: format.count(data.sessions) })}
          </Text>
          <DataTable caption={title} columns={columns} rows={data.steps} file={fileNamed([app.name, name, title], span)} />
        </>
      )}
    </>
  );
}
