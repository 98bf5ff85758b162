import { SegmentedControl, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { withGroup } from '../../components/filter/groups';
import { useUnits } from '../../components/filter/useUnits';
import { GoesOn } from '../../components/GoesOn';
import { HistoryIcon } from '../../components/icons';
import { FigureList, Section } from '../../components/Section';
import { Coming, Failed, Notice } from '../../components/States';
import { useFormat, useLocale } from '../../i18n';
import { fileNamed } from '../../lib/csv';
import { useTime, useView } from '../../lib/useView';
import { WaysOn } from '../../parts/empty/WaysOn';
import { steps } from '../../parts/figures/figures';
import { nameOfKeys } from '../../parts/trends/series';
import { report, type Group, type Report } from './api';
import type { Shared } from './Controls';
import { CurveCard } from './CurveCard';
import { known, meanOf, placesOf, stepId } from './figures';
import { HeatTable, type HeatRow } from './HeatTable';
import { People, type Whom } from './People';
import { useAgeName } from './names';
import { Sample } from './Sample';

/** How many came back: the figures, the curve, and the cohorts. */
export function ReportPart(shared: Shared) {
  const { app, question } = shared;
  const { t } = useTranslation();
  const { units } = useUnits(question.count);
  const { before } = useTime(app);
  const [task, setTask] = useState<string>();
  const { data, error, isFetching, refetch } = useQuery({ ...report(app, question, setTask), placeholderData: keepPreviousData });
  const earlier = useQuery({
    ...report(app, { ...question, by: '', period: before === undefined ? question.period : { kind: 'custom', ...before } }),
    enabled: before !== undefined,
    placeholderData: keepPreviousData,
  }).data;
  if (error !== null && data === undefined) return <Failed error={error} retry={() => void refetch()} />;
  if (data === undefined) return task === undefined ? <Coming height={420} /> : <GoesOn task={task} />;
  const compared = before === undefined || earlier?.unit !== data.unit ? undefined : earlier;
  return (
    <>
      {task !== undefined && isFetching && <GoesOn task={task} />}
      {error !== null && <Failed error={error} retry={() => void refetch()} />}
      {data.users === 0 ? (
        <section className="card" aria-label={t('retention.nobody', { units: units(2) })}>
          <Notice icon={<HistoryIcon />} title={t('retention.nobody', { units: units(2) })} text={t('retention.nobodyHint')} action={<WaysOn app={app} atFirst />} />
          <Sample />
        </section>
      ) : (
        <>
          <Figures data={data} before={compared} />
          <Pictures {...shared} data={data} before={compared} />
        </>
      )}
    </>
  );
}

/** Who started, and the ages that say most. */
function Figures({ data, before }: { data: Report; before: Report | undefined }) {
  const { t } = useTranslation();
  const format = useFormat();
  const ageName = useAgeName(data.unit);
  const earlier = before === undefined ? [] : meanOf(before.mean);
  const was = (text: string) => t('overview.from', { before: text });
  const figures = known(data).map(({ age, at, place }) => {
    const then = earlier[at];
    const of = t('retention.of', { users: format.count(place.users), of: format.count(place.of) });
    return { name: ageName(age), value: format.percent(place.share), note: then === undefined ? of : was(format.percent(then.share)) };
  });
  return <FigureList figures={[{ name: t('retention.started'), value: format.count(data.users), note: before && was(format.count(before.users)) }, ...figures]} />;
}

/** The curve, the cohorts, and below a breakdown its groups. */
function Pictures(props: Shared & { data: Report; before: Report | undefined }) {
  const { app, question, fields, data, withPeople } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const [whom, setWhom] = useState<Whom>();
  const locale = useLocale();
  const [view, set] = useView();
  const { span } = useTime(app);
  const ageName = useAgeName(data.unit);
  const as = view.figure === 'users' ? 'users' : 'share';
  const ages = data.brackets.map(({ from }) => ageName(from));
  const { name: units } = useUnits(question.count);
  const property = fields.find((f) => f.path === question.by)?.name ?? question.by;
  const groups = (data.groups ?? []).map((group, i): HeatRow => {
    const name = nameOf(group);
    const filter = group.other === true ? undefined : withGroup(view.filter, { [question.by]: group.value }, fields);
    return { id: `${name} ${String(i)}`, name, users: group.users, places: meanOf(group.cells), onPick: filter === undefined ? undefined : () => set({ filter }) };
  });
  function nameOf({ value, other }: Group): string {
    if (other === true) return t('retention.others');
    return nameOfKeys({ [question.by]: value }, [question.by], fields, t('retention.absent'));
  }
  const named = steps(data.rows.map((row) => ({ _id: stepId(row._id, data.unit) })), locale);
  const cohorts = data.rows.map((row, i): HeatRow => ({ id: row._id, name: named[i]?.label ?? row._id, users: row.users, places: placesOf(row) }));
  // The table begins with the first cohort that has somebody, so that it does not open on rows of nothing.
  const empty = Math.max(0, cohorts.findIndex((row) => row.users > 0));
  const title = t('retention.cohorts');
  const showPeople = (cohort: number, age?: number) => {
    const row = cohorts[cohort];
    if (row === undefined) return;
    const place = age === undefined ? undefined : row.places[age];
    if (age === undefined || place === undefined) setWhom({ cohort, title: t('retention.whoStarted', { cohort: row.name, users: format.count(row.users) }) });
    else setWhom({ cohort, age, title: t('retention.whoCameBack', { cohort: row.name, age: ages[age], people: t('retention.of', { users: format.count(place.users), of: format.count(place.of) }) }) });
  };
  const groupsTitle = t('retention.groups', { property });
  return (
    <>
      <CurveCard {...props} groups={groups} />
      {groups.length > 0 && (
        <Section title={groupsTitle} lead={t('retention.groupsLead')}>
          <HeatTable caption={groupsTitle} head={property} ages={ages} rows={groups} units={units} as={as} file={fileNamed([t('nav.retention'), groupsTitle], span)} />
        </Section>
      )}
      <Section
        title={title}
        lead={t('retention.cohortsLead')}
        actions={
          <SegmentedControl
            size="xs"
            className="no-print"
            aria-label={t('chart.showAs', { what: title })}
            value={as}
            onChange={(next) => set({ figure: next === 'users' ? next : '' })}
            data={(['share', 'users'] as const).map((value) => ({ value, label: value === 'share' ? t('retention.as.share') : units }))}
          />
        }
      >
        <HeatTable caption={title} head={t('retention.cohort')} ages={ages} rows={cohorts.slice(empty)} units={units} as={as} file={fileNamed([t('nav.retention'), title], span)} onPeople={withPeople && (question.count ?? '') === '' ? (row, age) => showPeople(row + empty, age) : undefined} />
        {empty > 0 && (
          <Text size="xs" c="dimmed">
            {t('retention.emptyFirst', { count: empty, name: cohorts[empty]?.name ?? '' })}
          </Text>
        )}
        {whom !== undefined && <People app={app} question={question} whom={whom} onClose={() => setWhom(undefined)} />}
        {cohorts.some((row) => row.places.some((place) => place?.open === true)) && (
          <Text size="xs" c="dimmed">
            {`* ${t('retention.openHint')}`}
          </Text>
        )}
      </Section>
    </>
  );
}
