import { MultiSelect, Select, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { Conditions } from '../../components/filter/Conditions';
import { CountBy } from '../../components/filter/CountBy';
import { grouped, type Field } from '../../components/filter/field';
import { EventChoice } from '../../parts/events/EventChoice';
import { withOnly } from '../../lib/view';
import type { useEventNames } from '../../parts/events/useEventNames';
import { isRatio, ofNumbers, parseMeasure, partsOf, plainMeasures, ratios } from '../../parts/trends/measure';
import { clocks, listText, most, zoneOf } from '../../parts/trends/report';
import { useMeasureWords } from '../../parts/trends/useDefinition';
import type { useReport } from '../../parts/trends/useReport';
import './trends.css';

interface Props {
  app: App;
  held: ReturnType<typeof useReport>;
  names: ReturnType<typeof useEventNames>;
  fields: readonly Field[];
  filter: object;
}

/** Puts a report together: of which events, what is measured, by what it is cut and narrowed. */
export function Builder({ app, held: { view, report, change }, names, fields, filter }: Props) {
  const { t } = useTranslation();
  const { measure, by, events, count } = report;
  const [fn, of] = partsOf(measure);
  const words = useMeasureWords(count);
  const numbers = fields.filter((f) => (f.kind === 'number' || f.kind === 'any') && (f.hidden !== true || f.path === of));
  const keys = names.options.flatMap((o) => o.items.map(({ value }) => value));
  const divisors = [...keys.filter((key) => !events.includes(key)), ...events];
  const own = [
    { value: 's', label: t('trends.ofSum') },
    { value: 'dur', label: t('trends.ofDuration') },
  ];
  const listed = [...own, ...numbers.map((f) => ({ value: f.path, label: f.name }))];
  const unlisted = by.filter((path) => !fields.some((f) => f.path === path)).map((path) => ({ group: '', items: [{ value: path, label: path }] }));
  return (
    <section className="card pad no-print" aria-label={t('trends.builder')}>
      <Stack gap="sm">
        <EventChoice label={t('nav.events')} events={events} names={names} onChange={(keys) => change({ events: listText(keys) })} most={most.events} />
        <div className="report-controls">
          <Select
            label={t('metric.measure')}
            allowDeselect={false}
            value={fn ?? measure}
            data={[
              { group: t('trends.ofEvents'), items: [...plainMeasures, 'sessions' as const].map((m) => ({ value: m, label: words(m) })) },
              { group: t('trends.ofNumbers'), items: ofNumbers.map((m) => ({ value: m, label: words(m) })) },
              { group: t('trends.ratios'), items: ratios.map((m) => ({ value: m, label: words(m) })) },
            ]}
            onChange={(next) => {
              if (next === null) return;
              const number = ofNumbers.find((m) => m === next);
              const ratio = ratios.find((m) => m === next);
              if (ratio !== undefined) change({ figure: `${ratio}:${isRatio(measure) ? of : (divisors[0] ?? '')}` });
              else change({ figure: number === undefined ? parseMeasure(next) : `${number}:${of === '' || isRatio(measure) ? (numbers[0]?.path ?? 's') : of}` });
            }}
          />
          {fn !== undefined && isRatio(measure) && (
            <Select
              label={t('trends.dividedBy')}
              allowDeselect={false}
              searchable
              value={of}
              data={divisors.includes(of) ? names.options : [...names.options, { group: '', items: [{ value: of, label: names.nameOf(of) }] }]}
              onChange={(key) => key !== null && change({ figure: `${fn}:${key}` })}
            />
          )}
          {fn !== undefined && !isRatio(measure) && (
            <Select
              label={t('trends.of')}
              allowDeselect={false}
              searchable
              value={of}
              data={listed.some((o) => o.value === of) ? listed : [...listed, { value: of, label: of }]}
              onChange={(path) => path !== null && change({ figure: `${fn}:${path}` })}
            />
          )}
          <MultiSelect
            label={t('trends.by')}
            placeholder={by.length === 0 ? t('trends.byNothing') : ''}
            data={[...grouped(fields, by), ...unlisted]}
            value={by}
            maxValues={most.by}
            searchable
            clearable
            clearButtonProps={{ 'aria-label': t('filters.clearOne', { what: t('trends.by') }) }}
            nothingFoundMessage={t('filter.noProperty')}
            onChange={(paths) => change({ segment: listText(paths) })}
          />
          <CountBy withSessions fields={fields} count={count} onChange={(next) => change({ only: withOnly(view.only, 'count', next) })} />
          <Select
            label={t('trends.days')}
            allowDeselect={false}
            value={report.days}
            data={clocks.map((value) => ({ value, label: t(`trends.daysOf.${value === '' ? 'app' : value}`, { zone: zoneOf(value, app.timezone) }) }))}
            onChange={(next) => next !== null && change({ only: withOnly(view.only, 'days', next) })}
          />
        </div>
        <div role="group" aria-label={t('trends.filter')}>
          <Conditions app={app} fields={fields} filter={filter} onChange={(next) => change({ filter: Object.keys(next).length === 0 ? '' : JSON.stringify(next) })} />
        </div>
      </Stack>
    </section>
  );
}
