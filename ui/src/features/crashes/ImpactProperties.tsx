import { Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import type { App } from '../../access/apps';
import { useFormat, useLocale } from '../../i18n';
import { useFields } from '../../parts/filters/fields';
import { chance } from '../funnels/figures';
import { Spans, type SpanRow } from '../funnels/Spans';
import { crashKey } from './api';
import { TooFew, Waiting } from './ImpactStates';
import { axisOf, onAxis, shownOf, toneOf } from './impact';
import { properties, type Asked, type Property } from './impactApi';

/** How many properties are shown at most. */
const most = 20;

const ofEvents = [crashKey];

/** What properties and their values are called. */
function useNames(app: App): (p: Property) => string {
  const { t } = useTranslation();
  const member = useQuery(me).data;
  const fields = useFields(app._id, 'events', ofEvents, member !== undefined && may(member, app._id, 'users', 'r'));
  return (p) => {
    if (p.kind === 'consent') return t('crashes.impact.consent', { name: p.path.replace(/^consent\./, '') });
    const field = fields.find((f) => f.path === p.path);
    const called = field?.name ?? p.path.replace(/^(sg\.custom_|sg\.|up\.|custom\.)/, '');
    const name = p.kind === 'report' ? called.replace(/^custom_/, '') : called;
    return `${name}: ${valueOf(p, field?.decode)}`;
  };

  function valueOf({ kind, value }: Property, decode: ((value: string) => string) | undefined): string {
    if (typeof value !== 'string') return t('crashes.impact.absent');
    if (kind === 'report' && value === 'yes') return t('crashes.yes');
    if (kind === 'report' && value === 'no') return t('crashes.no');
    return decode?.(value) ?? value;
  }
}

/** Values of properties that those hit have more or less often than others, with their odds. */
export function PropertiesPart({ asked, app }: { asked: Asked; app: App }) {
  const { t } = useTranslation();
  const format = useFormat();
  const locale = useLocale();
  const nameOf = useNames(app);
  const [task, setTask] = useState<string>();
  const { data, error, refetch } = useQuery({ ...properties(asked, setTask), placeholderData: keepPreviousData });
  if (data === undefined) return <Waiting task={task} error={error} refetch={refetch} />;
  const { users, reports, tested } = data;
  if (users.few && reports.few) return <TooFew text={t('crashes.impact.fewProperties', { hit: format.count(users.hit), others: format.count(users.other) })} />;
  const { sure, rows } = shownOf(data.properties, most);
  if (rows.length === 0) return <Text size="sm">{t('crashes.impact.nothingCompared')}</Text>;
  const number = new Intl.NumberFormat(locale, { maximumSignificantDigits: 2 });
  const odds = (n: number | undefined) => (n === undefined ? '∞' : number.format(n));
  const far = axisOf(rows);
  const spans = rows.map((p): SpanRow => ({
    key: `${p.kind} ${p.path} ${JSON.stringify(p.value)}`,
    name: nameOf(p),
    under: t(p.kind === 'report' ? 'crashes.impact.reportShares' : 'crashes.impact.shares', { hit: format.percent(p.hitPercent / 100), others: format.percent(p.otherPercent / 100) }),
    value: onAxis(p.odds.value),
    low: onAxis(p.odds.low),
    high: onAxis(p.odds.high),
    text: t('crashes.impact.odds', { odds: odds(p.odds.value) }),
    note: t('crashes.impact.oddsNote', { low: odds(p.odds.low), high: odds(p.odds.high), p: chance(p.adjusted, locale) }),
    tone: toneOf(p),
  }));
  return (
    <>
      <Text size="sm">
        {sure === 0 ? t('crashes.impact.noneSure', { tested: format.count(tested) }) : t('crashes.impact.sure', { count: sure, number: format.count(sure), tested: format.count(tested) })}{' '}
        {!users.few && t('crashes.impact.compared', { hit: format.count(users.hit), others: format.count(users.other) })}
      </Text>
      <Spans label={t('crashes.impact.parts.properties')} rows={spans} from={-far} to={far} mark={0} />
      <Text size="xs" c="dimmed">
        {t('crashes.impact.propertiesHint')}
      </Text>
    </>
  );
}
