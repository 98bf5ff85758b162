import { Button, CloseButton, Text, UnstyledButton } from '@mantine/core';
import { useIsFetching } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fromWire, readFilter, type KindOf } from '../../components/filter/filter';
import { wordsOf } from '../../components/filter/words';
import { useFormat } from '../../i18n';
import { conditionsOf, without } from '../../lib/narrow';
import { useView } from '../../lib/useView';
import type { App } from '../../access/apps';
import { useScopeFields } from './useScopeFields';

/** How long figures may take before the bar says that rows are counted, in ms. */
const patience = 1500;

interface Props {
  app: App;
  events: readonly string[];
  onOpen: () => void;
  /** Called when conditions are taken away, with the buttons that had the focus. */
  onRemove: () => void;
}

/** The conditions of the page's filter, each to be changed or taken away. */
export function FilterChips({ app, events, onOpen, onRemove }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const [view, set] = useView();
  const fields = useScopeFields(app, events);
  const kindOf: KindOf = (path) => fields.find((f) => f.path === path)?.kind ?? 'any';
  const chips = conditionsOf(view.filter).map((text) => {
    const group = fromWire(readFilter(text), kindOf);
    return { text, words: group === undefined ? t('filter.own') : wordsOf(group, fields, t, format, app.timezone) };
  });
  const change = (filter: string) => {
    set({ filter, page: 1 });
    onRemove();
  };
  return (
    <>
      {chips.map(({ text, words }, i) => (
        <span key={text} className="filter-chip">
          <UnstyledButton onClick={onOpen} aria-label={t('filter.change', { what: words })}>
            {words}
          </UnstyledButton>
          <CloseButton className="no-print" size={28} iconSize={14} radius="xl" aria-label={t('filter.remove', { what: words })} onClick={() => change(without(view.filter, i))} />
        </span>
      ))}
      {chips.length > 1 && (
        <Button className="no-print" variant="subtle" size="xs" onClick={() => change('')}>
          {t('filter.clear')}
        </Button>
      )}
      <Slow />
    </>
  );
}

/** Says that an answer takes long, as rows have to be counted. */
function Slow() {
  const { t } = useTranslation();
  const busy = useIsFetching() > 0;
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(busy), busy ? patience : 0);
    return () => clearTimeout(timer);
  }, [busy]);
  return (
    <Text size="sm" c="dimmed" role="status">
      {slow && t('filter.slow')}
    </Text>
  );
}
