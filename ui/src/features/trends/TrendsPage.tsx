import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import type { App } from '../../access/apps';
import type { Field } from '../../components/filter/field';
import { readFilter } from '../../components/filter/filter';
import { ChartIcon } from '../../components/icons';
import { TimePage } from '../../components/Page';
import { Notice } from '../../components/States';
import { useGranularity } from '../../components/time/GranularityChoice';
import { useTime } from '../../lib/useView';
import { WaysOn } from '../../parts/empty/WaysOn';
import { useEventNames } from '../../parts/events/useEventNames';
import { useFields } from '../../parts/filters/fields';
import { meta, type Question } from '../../parts/trends/api';
import { Bookmarks, SaveReport } from './Bookmarks';
import { Builder } from './Builder';
import { ReportCard } from './ReportCard';
import { bucketOf, listText } from '../../parts/trends/report';
import { Sample } from './Sample';
import { useReport } from '../../parts/trends/useReport';

/** How many events are offered to begin with. */
const offered = 5;

/** The report builder: events by a measure, a filter, a breakdown and time, as a picture. */
export function TrendsPage({ app }: { app: App }) {
  const { t } = useTranslation();
  const held = useReport();
  const { report, change, undo, view } = held;
  const member = useQuery(me).data;
  const withPeople = member !== undefined && may(member, app._id, 'users', 'r');
  const names = useEventNames(app._id);
  const fields = useReportFields(app._id, report.events, withPeople);
  const { period, span, before } = useTime(app);
  const step = useGranularity(span);
  const filter = useMemo(() => readFilter(view.filter) ?? {}, [view.filter]);
  const questions = report.events.map((event): Question => ({ event, measure: report.measure, filter, by: report.by, count: report.count, days: report.days, period, bucket: bucketOf(step), before }));
  const first = names.options.flatMap((o) => o.items);
  return (
    <TimePage
      app={app}
      title={t('nav.trends')}
      lead={t('trends.lead')}
      actions={
        <Group gap="xs">
          <Button variant="default" disabled={undo === undefined} onClick={undo}>
            {t('trends.undo')}
          </Button>
          {report.events.length > 0 && <SaveReport app={app} names={names} fields={fields} />}
        </Group>
      }
    >
      <Builder app={app} held={held} names={names} fields={fields} filter={filter} />
      {report.events.length > 0 ? (
        <ReportCard app={app} held={held} questions={questions} step={step} names={names} fields={fields} withPeople={withPeople} />
      ) : (
        <div className="card">
          <Notice
            icon={<ChartIcon size={26} />}
            title={t('trends.begin')}
            text={t(first.length === 0 ? 'trends.noEvents' : 'trends.beginHint')}
            action={
              first.length === 0 ? (
                <WaysOn app={app} />
              ) : (
                <Group gap="xs" justify="center" maw="100%">
                  {first.slice(0, offered).map(({ value, label }) => (
                    <Button key={value} className="cuts" variant="light" size="sm" maw="100%" title={label} onClick={() => change({ events: listText([value]) })}>
                      {label}
                    </Button>
                  ))}
                </Group>
              )
            }
          />
          <Sample />
        </div>
      )}
      <Bookmarks app={app} names={names} />
    </TimePage>
  );
}

/** The properties that events can be asked by, with values to suggest. */
function useReportFields(appID: string, events: readonly string[], withPeople: boolean): Field[] {
  const fields = useFields(appID, 'events', events, withPeople);
  const known = useQuery(meta(appID, events[0] ?? '')).data;
  return useMemo(
    () =>
      fields.map((f) => {
        const suggested = f.path.startsWith('sg.') ? known?.sg[f.path.slice(3)]?.values : undefined;
        return suggested === undefined ? f : { ...f, suggested };
      }),
    [fields, known],
  );
}
