import { Alert, Badge, Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import type { App } from '../../access/apps';
import { Answer } from '../../components/Answer';
import { ChartCard } from '../../components/chart/ChartCard';
import { ConfirmDelete } from '../../components/form/ConfirmDelete';
import { fromWire, readFilter, type KindOf } from '../../components/filter/filter';
import { wordsOf } from '../../components/filter/words';
import { PeopleIcon } from '../../components/icons';
import { Page } from '../../components/Page';
import { FieldList, FigureList, Section } from '../../components/Section';
import { Coming, Notice } from '../../components/States';
import type { Column } from '../../components/table/columns';
import { ServerTable } from '../../components/table/ServerTable';
import { toasts } from '../../components/toasts';
import { useFormat, useLocale } from '../../i18n';
import { fileNamed } from '../../lib/csv';
import { addDays, today } from '../../lib/period';
import { useView } from '../../lib/useView';
import { carried } from '../../lib/view';
import { useEventNames } from '../../parts/events/useEventNames';
import { useFields } from '../../parts/filters/fields';
import { steps } from '../../parts/figures/figures';
import { profileFile, profileList } from '../../parts/people/api';
import { useProfileColumns } from '../../parts/people/useProfileColumns';
import { chartDays, cohort, histories, lastDays, useCalculate, useDeleteCohort, type Cohort, type Course } from '../../parts/cohorts/api';
import { ChangePeople } from './ChangePeople';
import { CohortForm } from './CohortForm';
import { daysOf, fromCohort, isBefore, type Rule } from './draft';

/** One cohort: how large it is and was, who is in it, and the form that changes it. */
export function CohortPage({ app }: { app: App }): ReactNode {
  const { t } = useTranslation();
  const { cohortId = '' } = useParams({ strict: false });
  const query = useQuery(cohort(app._id, cohortId));
  if (query.data === null) {
    return (
      <Page title={t('nav.cohorts')} above={{ to: `/apps/${app._id}/cohorts`, label: t('nav.cohorts') }} share={false}>
        <div className="card">
          <Notice icon={<PeopleIcon />} title={t('cohorts.gone')} text={t('cohorts.goneHint')} />
        </div>
      </Page>
    );
  }
  return <Answer query={query}>{(found) => found !== null && <One key={found._id} app={app} cohort={found} />}</Answer>;
}

function One({ app, cohort: c }: { app: App; cohort: Cohort }): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const member = useQuery(me).data;
  const [view, set] = useView();
  const remove = useDeleteCohort(app._id);
  const calculate = useCalculate(app._id);
  const [leaving, setLeaving] = useState(false);
  const [changing, setChanging] = useState<'add' | 'remove'>();
  const can = (feature: 'cohorts' | 'profile_groups' | 'users', action: 'c' | 'r' | 'u' | 'd') => member !== undefined && may(member, app._id, feature, action);
  const own = c.type === 'manual' ? 'profile_groups' : 'cohorts';
  const above = { to: `/apps/${app._id}/cohorts`, label: t('nav.cohorts') };
  if (view.open === 'edit' && can(own, 'c')) {
    return (
      <Page title={t('app.editWhat', { what: c.name })} above={above} share={false}>
        <CohortForm app={app} draft={fromCohort(c)} id={c._id} onDone={() => set({ open: '' })} onCancel={() => set({ open: '' })} />
      </Page>
    );
  }
  const byHand = c.type === 'manual' && can('profile_groups', 'u') && can('users', 'r');
  return (
    <Page
      title={c.name}
      above={above}
      {...(c.description === '' ? {} : { lead: c.description })}
      actions={
        <Group gap="xs">
          {byHand && (
            <>
              <Button onClick={() => setChanging('add')}>{t('cohorts.addPeople')}</Button>
              <Button variant="default" onClick={() => setChanging('remove')}>
                {t('cohorts.removePeople')}
              </Button>
            </>
          )}
          {c.type === 'auto' && can('cohorts', 'u') && (
            <Button variant="default" loading={calculate.isPending || c.state === 'calculating'} onClick={() => calculate.mutate(c._id, { onSuccess: () => toasts.show(t('cohorts.started')) })}>
              {t('cohorts.recalculate')}
            </Button>
          )}
          {can(own, 'c') && (
            <Button variant="default" onClick={() => set({ open: 'edit' })}>
              {t('app.edit')}
            </Button>
          )}
          {can(own, 'd') && (
            <Button variant="default" c="red" onClick={() => setLeaving(true)}>
              {t('app.delete')}
            </Button>
          )}
        </Group>
      }
    >
      {c.state === 'error' && (
        <Alert color="red" role="alert">
          {t('cohorts.failedHint')}
        </Alert>
      )}
      <Figures app={app} cohort={c} />
      {c.type === 'auto' && <Definition app={app} cohort={c} />}
      {can('users', 'r') && <Members app={app} cohort={c} />}
      {changing !== undefined && <ChangePeople app={app} cohort={c} how={changing} onClose={() => setChanging(undefined)} />}
      {leaving && (
        <ConfirmDelete
          what={c.name}
          id={c._id}
          remove={remove}
          done={t('cohorts.deleted')}
          onClose={() => setLeaving(false)}
          onDone={() => void navigate({ to: '/apps/$appId/cohorts', params: { appId: app._id }, search: carried(view) })}
        />
      )}
    </Page>
  );
}

function Figures({ app, cohort: c }: { app: App; cohort: Cohort }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const query = useQuery(histories(app._id, [c._id]));
  const last = today(app.timezone);
  const course = lastDays(query.data?.[c._id] ?? [], Array.from({ length: chartDays }, (_, i) => addDays(last, i + 1 - chartDays)));
  const sum = (of: 'entered' | 'left') => format.count(course.reduce((n, d) => n + d[of], 0));
  return (
    <>
      <FigureList
        figures={[
          { name: t('cohorts.size'), value: format.count(c.result), note: <Freshness app={app} cohort={c} /> },
          { name: t('cohorts.entered'), value: sum('entered'), note: t('cohorts.last30') },
          { name: t('cohorts.left'), value: sum('left'), note: t('cohorts.last30') },
        ]}
      />
      {query.data === undefined ? <Coming height={360} /> : <CourseCard app={app} name={c.name} course={course} />}
    </>
  );
}

/** As of when the people of a cohort are, and why they are not those of now. */
function Freshness({ app, cohort: c }: { app: App; cohort: Cohort }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  if (c.live) {
    return (
      <Badge variant="light" color="green" tt="none" autoContrast title={t('cohorts.liveHint')}>
        {t('cohorts.live')}
      </Badge>
    );
  }
  const moment = c.last_calculated === 0 ? t('cohorts.calculating') : t('cohorts.asOf', { moment: format.moment(c.last_calculated, app.timezone) });
  return c.scheduled === '' ? moment : `${moment}. ${t(`cohorts.scheduled.${c.scheduled}`)}`;
}

/** The size of the last thirty days, with who came and left. */
function CourseCard({ app, name, course }: { app: App; name: string; course: readonly Course[] }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const locale = useLocale();
  const [as, setAs] = useState<'chart' | 'table'>('chart');
  const last = today(app.timezone);
  const named = steps(course.map((d) => ({ ...d, _id: d.day.replaceAll(/-0?/g, '-') })), locale);
  const columns: Column<(typeof named)[number]>[] = [
    { key: 'date', title: t('overview.date'), fixed: true, value: (s) => s.row.day, text: (s) => s.label, sortable: false },
    { key: 'size', title: t('cohorts.size'), numeric: true, value: (s) => s.row.size ?? 0, text: (s) => (s.row.size === undefined ? '–' : format.count(s.row.size)) },
    { key: 'entered', title: t('cohorts.entered'), numeric: true, value: (s) => s.row.entered, text: (s) => format.count(s.row.entered) },
    { key: 'left', title: t('cohorts.left'), numeric: true, value: (s) => s.row.left, text: (s) => format.count(s.row.left) },
  ];
  return (
    <ChartCard
      title={t('cohorts.course')}
      about={t('cohorts.courseAbout')}
      spec={{
        kind: 'series',
        steps: named,
        continuous: false,
        present: named.length - 1,
        series: [
          { name: t('cohorts.size'), values: named.map((s) => s.row.size) },
          { name: t('cohorts.entered'), values: named.map((s) => s.row.entered) },
          { name: t('cohorts.left'), values: named.map((s) => s.row.left) },
        ],
        format: format.count,
        formatTick: format.short,
      }}
      columns={columns}
      rows={named}
      file={fileNamed([t('nav.cohorts'), name, t('cohorts.course')], { from: addDays(last, 1 - chartDays), to: last })}
      as={as}
      onAs={setAs}
    />
  );
}

/** What a cohort asks for, in words. */
function Definition({ app, cohort: c }: { app: App; cohort: Cohort }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { nameOf } = useEventNames(app._id);
  const draft = fromCohort(c);
  const events = draft.rules.map((r) => r.event);
  const ofEvents = useFields(app._id, 'events', events, true);
  const ofPeople = useFields(app._id, 'people', [], true);
  const words = (filter: object, fields: typeof ofPeople) => {
    const kindOf: KindOf = (path) => fields.find((f) => f.path === path)?.kind ?? 'any';
    const group = fromWire(readFilter(JSON.stringify(filter)), kindOf);
    return group === undefined ? t('filter.own') : wordsOf(group, fields, t, format, app.timezone);
  };
  const rule = (r: Rule, i: number) => {
    const days = daysOf(r.period);
    const before = isBefore(draft.rules, i);
    const then = i > 0 && r.conj === 'then';
    const parts = [
      t(`cohorts.kinds.${r.type}`),
      t('cohorts.eventWords', { event: nameOf(r.event) }),
      then ? t('cohorts.withinWords', { count: r.within.amount, number: format.count(r.within.amount), unit: t(`cohorts.unitWords.${r.within.unit}`, { count: r.within.amount }) }) : '',
      r.type === 'first' || then || before ? '' : t(`cohorts.often.${r.type === 'didnt' ? 'least' : r.bound}`, { count: r.times, number: format.count(r.times) }),
      before ? '' : days === undefined ? r.period : days === 0 ? t('cohorts.everWords') : t('cohorts.daysWords', { count: days, number: format.count(days) }),
      Object.keys(r.filter).length === 0 ? '' : `(${words(r.filter, ofEvents)})`,
    ];
    return parts.filter((p) => p !== '').join(' ');
  };
  return (
    <Section title={t('cohorts.definition')}>
      <FieldList
        fields={[
          ...draft.rules.map((r, i): [string, string] => [i === 0 ? t('cohorts.behaviour') : t(`cohorts.${r.conj}`), rule(r, i)]),
          ...(Object.keys(draft.people).length === 0 ? [] : [[t('cohorts.people'), words(draft.people, ofPeople)] as [string, string]]),
          [t('cohorts.visibility'), t(`cohorts.visible.${c.visibility}`) + (c.shared_email_edit.length === 0 ? '' : `: ${c.shared_email_edit.join(', ')}`)],
        ]}
      />
    </Section>
  );
}

/** Who is in the cohort now. */
function Members({ app, cohort: c }: { app: App; cohort: Cohort }): ReactNode {
  const { t } = useTranslation();
  const columns = useProfileColumns(app);
  const filter = { chr: { $in: [c._id] } };
  const title = t('cohorts.members');
  return (
    <Section title={title}>
      {c.result === 0 ? (
        <Text size="sm" c="dimmed">
          {t('cohorts.nobody')}
        </Text>
      ) : (
        <ServerTable bare caption={title} list={profileList(app._id, filter)} columns={columns} order="-lac" usuallyHidden="fac,cty,av" file={`${app.name} ${c.name}`} exported={profileFile(app._id, filter)} />
      )}
    </Section>
  );
}
