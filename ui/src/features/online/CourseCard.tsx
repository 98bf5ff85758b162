import { SegmentedControl, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ChartCard } from '../../components/chart/ChartCard';
import type { Step } from '../../components/chart/spec';
import type { Column } from '../../components/table/columns';
import { useFormat, useLocale } from '../../i18n';
import { useView } from '../../lib/useView';
import { AboutOnline } from './AboutOnline';
import type { Point, Shown } from './api';
import { useBound } from './useBound';

const widths = ['minutes', 'hours', 'days'] as const;
type Width = (typeof widths)[number];

const forms: Record<Width, Intl.DateTimeFormatOptions> = {
  minutes: { hour: 'numeric', minute: '2-digit' },
  hours: { weekday: 'short', hour: 'numeric', minute: '2-digit' },
  days: { day: 'numeric', month: 'short' },
};

interface PointStep extends Step {
  point: Point;
}

/** The most people of each minute, hour or day. */
export function CourseCard({ apps, data }: Shown) {
  const app = apps[0];
  const { t } = useTranslation();
  const locale = useLocale();
  const format = useFormat();
  const bound = useBound();
  const [view, set] = useView();
  const width = widths.find((one) => one === view.figure) ?? 'minutes';
  const points = data[width];
  const steps = useMemo(() => {
    const name = new Intl.DateTimeFormat(locale, { ...forms[width], timeZone: app.timezone });
    return points.map((point): PointStep => {
      const text = name.format(point.t);
      return { label: text, tick: text, point };
    });
  }, [points, width, locale, app.timezone]);
  const most = points.reduce<Point>((best, p) => (p.o > best.o ? p : best), { t: 0, o: 0, n: 0 });
  const columns: Column<PointStep>[] = [
    { key: 't', title: t(`online.unit.${width}`), fixed: true, value: (s) => s.point.t, text: (s) => s.label, sortable: false },
    { key: 'o', title: t('online.online'), numeric: true, value: (s) => s.point.o, text: (s) => bound(s.point, 'o') },
    { key: 'n', title: t('online.new'), numeric: true, value: (s) => s.point.n, text: (s) => bound(s.point, 'n') },
  ];
  return (
    <ChartCard
      told
      title={t('online.course')}
      about={t(`online.about.${width}`)}
      spec={{
        kind: 'series',
        steps,
        continuous: false,
        present: steps.length - 1,
        format: format.count,
        formatTick: format.short,
        series: [
          { name: t('online.online'), values: points.map((p) => p.o) },
          { name: t('online.new'), values: points.map((p) => p.n) },
        ],
      }}
      columns={columns}
      rows={steps}
      file={`${app.name} ${t('nav.online')}`}
      as={view.as}
      onAs={(as) => set({ as })}
      actions={
        <>
          <SegmentedControl
            size="xs"
            aria-label={t('online.width')}
            value={width}
            onChange={(next) => set({ figure: next === 'minutes' ? '' : next })}
            data={widths.map((value) => ({ value, label: t(`online.last.${value}`) }))}
          />
          <AboutOnline apps={apps} window={data.window} what={t('online.course')} />
        </>
      }
    >
      <Text size="sm" mt="xs">
        {points.some((p) => p.bound === true) && `${t('online.bound')} `}
        {most.o === 0 ? t('online.nobodyThen') : t('online.said', { users: bound(most, 'o'), when: format.moment(most.oa ?? most.t, app.timezone) })}
      </Text>
    </ChartCard>
  );
}
