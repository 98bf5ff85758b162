import { Box, SegmentedControl, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Answer } from '../../components/Answer';
import { ChartCard } from '../../components/chart/ChartCard';
import type { BarsSpec } from '../../components/chart/spec';
import { Definition } from '../../components/Definition';
import { Page } from '../../components/Page';
import { Section } from '../../components/Section';
import { Notice } from '../../components/States';
import type { Column } from '../../components/table/columns';
import { ServerTable } from '../../components/table/ServerTable';
import { useFormat } from '../../i18n';
import { useView } from '../../lib/useView';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import type { App } from '../../access/apps';
import { inactiveSince, profileFile } from '../../parts/people/api';
import { useProfileColumns } from '../../parts/people/useProfileColumns';
import { slipping, type Slipping } from './api';

/** The people who used an app and do not come any more. */
export function SlippingPage({ app }: { app: App }) {
  const { t } = useTranslation();
  const query = useQuery(slipping(app._id));
  const member = useQuery(me).data;
  return (
    <Page title={t('nav.slipping')} lead={t('slipping.lead')}>
      <Answer query={query}>
        {(rows) => rows.every((r) => r.count === 0) ? (
          <Box className="card">
            <Notice title={t('slipping.nobody')} text={t('slipping.nobodyHint', { days: t('slipping.days', { count: rows[0]?.period ?? 0 }) })} />
          </Box>
        ) : (
          <>
            <Counts app={app} rows={rows} />
            {member !== undefined && may(member, app._id, 'users', 'r') && <Who app={app} rows={rows} />}
          </>
        )}
      </Answer>
    </Page>
  );
}

function Counts({ app, rows }: { app: App; rows: readonly Slipping[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [view, set] = useView();
  const spec = useMemo(
    (): BarsSpec => ({
      kind: 'bars',
      upright: true,
      name: t('metric.users'),
      format: (n) => format.count(n),
      formatTick: (n) => format.short(n),
      rows: rows.map((r) => ({ name: t('slipping.days', { count: r.period }), value: r.count })),
    }),
    [rows, t, format],
  );
  const columns: Column<Slipping>[] = [
    { key: 'period', title: t('slipping.inactive'), fixed: true, value: (r) => r.period, text: (r) => t('slipping.days', { count: r.period }), sortable: false },
    { key: 'count', title: t('metric.users'), numeric: true, value: (r) => r.count, text: (r) => format.count(r.count) },
    { key: 'share', title: t('metric.share'), numeric: true, form: 'percent', value: (r) => Number(r.percentage), text: (r) => format.percent(Number(r.percentage) / 100) },
  ];
  return (
    <ChartCard
      title={t('slipping.title')}
      about={t('slipping.ofAll')}
      spec={spec}
      columns={columns}
      rows={rows}
      file={`${app.name} ${t('nav.slipping')}`}
      as={view.as}
      onAs={(as) => set({ as })}
      actions={
        <Definition
          what={t('slipping.title')}
          path="/o/slipping"
          params={{ app_id: app._id }}
          fields={[
            [t('slipping.inactive'), t('slipping.def.inactive')],
            [t('metric.share'), t('slipping.def.share')],
            [t('retention.def.period'), t('slipping.def.period')],
            [t('retention.def.exact'), t('slipping.def.exact')],
          ]}
        />
      }
    >
      <Text size="sm" c="dimmed" mt="xs">
        {t('slipping.hint')}
      </Text>
    </ChartCard>
  );
}

/** The people themselves, of one of the spans. */
function Who({ app, rows }: { app: App; rows: readonly Slipping[] }) {
  const { t } = useTranslation();
  const [view, set] = useView();
  const columns = useProfileColumns(app);
  const chosen = rows.find((r) => String(r.period) === view.segment) ?? rows[0];
  if (chosen === undefined) return null;
  return (
    <Section
      title={t('slipping.who')}
      actions={
        <SegmentedControl
          size="xs"
          aria-label={t('slipping.inactive')}
          value={String(chosen.period)}
          onChange={(segment) => set({ segment, page: 1 })}
          data={rows.map((r) => ({ value: String(r.period), label: t('slipping.days', { count: r.period }) }))}
        />
      }
    >
      <ServerTable
        caption={t('slipping.who')}
        list={inactiveSince(app._id, chosen.timeStamp)}
        columns={columns}
        order="-lac"
        usuallyHidden="fac,cty,av,d"
        file={`${app.name} ${t('nav.slipping')}`}
        empty={t('slipping.nobody')}
        bare
        exported={profileFile(app._id, { lac: { $lt: chosen.timeStamp } })}
      />
    </Section>
  );
}
