import { Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import type { App } from '../../access/apps';
import { Definition } from '../../components/Definition';
import { fromWire, readFilter } from '../../components/filter/filter';
import { useUnits } from '../../components/filter/useUnits';
import { wordsOf } from '../../components/filter/words';
import { GoesOn } from '../../components/GoesOn';
import { FigureList } from '../../components/Section';
import { Coming, Failed } from '../../components/States';
import { useFormat } from '../../i18n';
import { usualStep } from '../../lib/granularity';
import { useOnly, useTime, useView } from '../../lib/useView';
import { useEventNames } from '../../parts/events/useEventNames';
import { useFields } from '../../parts/filters/fields';
import { analysis, paramsOf, type Analysis, type Asked, type Single } from './api';
import { DriversCard, InsteadCard } from './Behaviour';
import { CourseCard, TimesCard } from './Cards';
import { stepsOf } from './draft';
import { conversionOf, stepRows } from './figures';
import { Parts } from './Parts';
import { StepsCard } from './StepsCard';
import { useDefinition } from './useDefinition';
import { usePick } from './usePick';

/** How far people got in a funnel: the figures, the picture, and the cards below. */
export function FunnelFigures({ app, funnel }: { app: App; funnel: Single }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [view] = useView();
  const [only] = useOnly();
  const member = useQuery(me).data;
  const { period, span, before } = useTime(app);
  const [task, setTask] = useState<string>();
  const withPeople = member !== undefined && may(member, app._id, 'users', 'r');
  const { nameOf } = useEventNames(app._id);
  const steps = useMemo(() => stepsOf(funnel), [funnel]);
  const keys = useMemo(() => [...new Set(steps.flatMap((s) => s.flatMap((a) => a.events)))], [steps]);
  const fields = useFields(app._id, 'events', keys, withPeople);
  const pickOf = usePick(app, keys, fields);
  const filter = useMemo(() => readFilter(view.filter) ?? {}, [view.filter]);
  const counted = only.count ?? '';
  const asked: Asked = { period, filter, by: view.segment, at: only.step ?? '', count: counted, trend: usualStep(span) };
  const { data, error, isFetching, refetch } = useQuery({ ...analysis(app, funnel._id, asked, setTask), placeholderData: keepPreviousData });
  const earlier = useQuery({ ...analysis(app, funnel._id, { ...asked, period: before ?? period, by: '' }), enabled: before !== undefined, placeholderData: keepPreviousData }).data;
  const definition = useDefinition(app, funnel, fields, counted);
  const kindOf = (path: string) => fields.find((f) => f.path === path)?.kind ?? 'any';
  const names = steps.map((step) => ({
    name: step.map((a) => a.events.map(nameOf).join(` ${t('filter.or')} `)).join(` ${t('filter.or')} `),
    filter: step
      .flatMap((a) => {
        const group = fromWire(a.filter, kindOf);
        const words = group === undefined ? t('funnels.ownFilter') : wordsOf(group, fields, t, format, app.timezone);
        return words === '' ? [] : [words];
      })
      .join(` ${t('filter.or')} `),
  }));
  if (error !== null && data === undefined) return <Failed error={error} retry={() => void refetch()} />;
  if (data === undefined) return task === undefined ? <Coming height={420} /> : <GoesOn task={task} />;
  const compared = before === undefined ? undefined : earlier;
  const about = (what: string) => <Definition what={what} path="/o" params={paramsOf(app, funnel._id, asked)} fields={definition} />;
  return (
    <>
      {task !== undefined && isFetching && <GoesOn task={task} />}
      {error !== null && <Failed error={error} retry={() => void refetch()} />}
      <Figures data={data} before={compared} count={counted} />
      <StepsCard
        app={app}
        funnel={funnel}
        asked={asked}
        data={data}
        rows={stepRows(data, compared)}
        names={names}
        fields={fields}
        withPeople={withPeople && counted === ''}
        pickOf={pickOf}
      />
      {view.segment !== '' && data.groups !== undefined && data.groups.length > 0 && (
        <Parts app={app} data={data} groups={data.groups} names={names.map((n) => n.name)} field={fields.find((f) => f.path === view.segment)} path={view.segment} count={counted} pickOf={pickOf} />
      )}
      {data.users_in_first_step > 0 && counted === '' && (
        <>
          <InsteadCard app={app} funnel={funnel} asked={asked} rows={stepRows(data)} names={names.map((n) => n.name)} fields={fields} />
          <DriversCard app={app} funnel={funnel} asked={asked} rows={stepRows(data)} names={names.map((n) => n.name)} fields={fields} />
        </>
      )}
      {data.conversion.count > 0 && <TimesCard app={app} spread={data.conversion} name={funnel.name} actions={about(t('funnels.timesTitle'))} />}
      {data.users_in_first_step > 0 && data.trend !== undefined && <CourseCard app={app} name={funnel.name} rows={data.trend} before={compared?.trend} actions={about(t('funnels.courseTitle'))} />}
    </>
  );
}

/** The figures of the whole funnel. */
function Figures({ data, before, count }: { data: Analysis; before: Analysis | undefined; count: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { units } = useUnits(count);
  const was = (text: string) => t('overview.from', { before: text });
  const figures = [
    { name: t('funnels.conversion'), value: format.percent(conversionOf(data)), note: before && was(format.percent(conversionOf(before))) },
    { name: t('funnels.entered'), value: format.count(data.users_in_first_step), note: before && was(format.count(before.users_in_first_step)) },
    { name: t('funnels.completed'), value: format.count(data.success_users), note: before && was(format.count(before.success_users)) },
    {
      name: t('funnels.medianTime'),
      value: data.conversion.count === 0 ? '–' : format.duration(data.conversion.median),
      note: before && was(before.conversion.count === 0 ? '–' : format.duration(before.conversion.median)),
    },
  ];
  return (
    <>
      <FigureList figures={figures} />
      {data.total_users > 0 && (
        <Text size="sm" c="dimmed">
          {t('funnels.ofAll', { count: data.users_in_first_step, entered: format.count(data.users_in_first_step), total: format.count(data.total_users), units: units(data.total_users) })}
        </Text>
      )}
    </>
  );
}
