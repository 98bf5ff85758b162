import { Group as Row, SimpleGrid, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FieldList, Section } from '../../components/Section';
import { useFormat } from '../../i18n';
import { barNames, spanNames, type Group } from './api';
import { decoded, topOf } from './figures';

/** How many values of a distribution are shown. */
const most = 5;

/** Flags are stored as yes and no. */
const flags: ReadonlySet<string> = new Set(['root', 'online', 'muted', 'signal', 'background']);

/** Where reports come from: the values of what they say, the most frequent first. */
export function Distributions({ group }: { group: Group }) {
  const { t } = useTranslation();
  const format = useFormat();
  const word = (value: string) => (value === 'yes' ? t('crashes.yes') : value === 'no' ? t('crashes.no') : value);
  const lists = [
    ...barNames.map((name) => ({ key: name, title: t(`crashes.of.${name}`), bars: group[name], write: flags.has(name) ? word : decoded })),
    ...Object.entries(group.custom).map(([name, bars]) => ({ key: `custom ${name}`, title: decoded(name), bars, write: decoded })),
  ].filter(({ bars }) => Object.keys(bars).length > 0);
  const spans = spanNames.flatMap((name) => {
    const span = group[name];
    if (span === undefined || span.count === 0) return [];
    const write = (n: number) => (name === 'run' ? format.duration(n) : name === 'session' ? format.amount(n) : format.percent(n / 100));
    return [[t(`crashes.of.${name}`), t('crashes.span', { mean: write(span.total / span.count), min: write(span.min), max: write(span.max) })] as const];
  });
  if (lists.length === 0 && spans.length === 0) return null;
  return (
    <Section title={t('crashes.where')} lead={t('crashes.whereLead')}>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="lg" verticalSpacing="lg">
        {lists.map(({ key, title, bars, write }) => (
          <Bars key={key} title={title} bars={bars} write={write} />
        ))}
      </SimpleGrid>
      {spans.length > 0 && <FieldList fields={spans} />}
    </Section>
  );
}

function Bars({ title, bars, write }: { title: string; bars: Readonly<Record<string, number>>; write: (value: string) => string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { rows, rest } = topOf(bars, most);
  const all = rows.reduce((sum, { value }) => sum + value, rest);
  const shown = [...rows.map(({ name, value }) => ({ key: name, name: write(name), value })), ...(rest === 0 ? [] : [{ key: ' rest', name: t('crashes.others'), value: rest }])];
  return (
    <div>
      <Title order={3} size="sm" mb={6} className="breakable">
        <bdi>{title}</bdi>
      </Title>
      <ul className="crash-bars">
        {shown.map(({ key, name, value }) => (
          <li key={key}>
            <Row justify="space-between" gap="xs" wrap="nowrap">
              <Text size="sm" className="breakable">
                <bdi>{name}</bdi>
              </Text>
              <Text size="sm" c="dimmed" className="numbers">
                {`${format.share(value / all)} · ${format.count(value)}`}
              </Text>
            </Row>
            <span className="share-track" aria-hidden>
              <span className="share-bar" style={{ inlineSize: `${(value / all) * 100}%` }} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
