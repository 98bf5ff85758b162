import { Text, Title, UnstyledButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FigureValue } from '../../components/Figure';
import { Status } from '../../components/Status';
import { useFormat } from '../../i18n';
import { useView } from '../../lib/useView';
import type { Measure, Overview } from './api';
import { groupNames, headline, isRated, rate, shares } from './figures';
import './performance.css';

const signs = { good: 'good', fair: 'busy', poor: 'bad' } as const;

/** All measures that were sent, by group; the one that is pressed is drawn below. */
export function MeasureCards({ data, before, chosen }: { data: Overview; before: Overview | undefined; chosen: Measure }) {
  const { t } = useTranslation();
  return groupNames.map((group) => {
    const list = data.measures.filter((m) => m.group === group && m.n > 0);
    if (list.length === 0) return null;
    return (
      <section key={group} aria-label={t(`performance.group.${group}`)}>
        <Title order={2} size="h5" mb="xs">
          {t(`performance.group.${group}`)}
        </Title>
        <div className="performance-cards">
          {list.map((m) => (
            <Card key={m.id} measure={m} before={before?.measures.find((b) => b.id === m.id)} pressed={m.id === chosen.id} />
          ))}
        </div>
      </section>
    );
  });
}

function Card({ measure: m, before, pressed }: { measure: Measure; before: Measure | undefined; pressed: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [, set] = useView();
  const name = t(`performance.measure.${m.id as 'lcp'}`);
  const rated = rate(m.p75, m.group === 'vitals' ? m.limits : undefined);
  const part = shares(m);
  const parts = (['good', 'fair', 'poor'] as const).filter((key) => part[key] > 0);
  const said = parts.map((key) => `${t(`performance.rating.${key}`)} ${format.percent(part[key])}`).join(', ');
  return (
    <UnstyledButton className="card performance-card" aria-pressed={pressed} onClick={() => set({ figure: m.id, page: 1 })}>
      <Text span size="sm" c="dimmed">
        {name}
      </Text>
      <FigureValue text={headline(m, format)} />
      {rated !== undefined && <Status kind={signs[rated]}>{t(`performance.rating.${rated}`)}</Status>}
      {isRated(m) && (
        <span className="performance-bar" role="img" aria-label={said} title={said}>
          {parts.map((key) => (
            <span key={key} data-rating={key} style={{ inlineSize: `${String(part[key] * 100)}%` }} />
          ))}
        </span>
      )}
      <Text span size="xs" c="dimmed">
        {t(`performance.of.${m.unit === 'code' ? 'code' : m.unit === 'frames' ? 'frames' : m.group === 'vitals' ? 'p75' : 'p50'}`)}
        {' · '}
        {t('performance.samples', { count: m.n, number: format.short(m.n) })}
        {before !== undefined && ` · ${t('overview.from', { before: headline(before, format) })}`}
      </Text>
    </UnstyledButton>
  );
}
