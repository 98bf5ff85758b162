import { Text, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { SearchIcon } from '../../components/icons';
import { useView } from '../../lib/useView';
import { found, type Hit } from './find';
import type { Group, Operation } from './model';

interface Props {
  groups: readonly Group[];
  operations: readonly Operation[];
  current: Operation | undefined;
}

/** The operations by group; those that a search finds in one list. */
export function OperationList({ groups, operations, current }: Props) {
  const { t } = useTranslation();
  const [{ q }, set] = useView();
  const hits = useMemo(() => found(operations, q), [operations, q]);
  const isSearch = q.trim() !== '';
  return (
    <nav className="card reference-list no-print" aria-label={t('reference.operations')}>
      <TextInput
        type="search"
        label={t('reference.search')}
        description={t('reference.searchHint')}
        leftSection={<SearchIcon size={16} />}
        maxLength={200}
        value={q}
        onChange={(e) => set({ q: e.currentTarget.value })}
      />
      <Text size="sm" c="dimmed" role="status">
        {isSearch && hits.length === 0 ? t('reference.none') : t('reference.found', { count: hits.length })}
      </Text>
      {isSearch && hits.length === 0 && <Text size="sm">{t('reference.noneHint')}</Text>}
      {isSearch ? <Links hits={hits} current={current} q={q} /> : groups.map((group) => <GroupPart key={group.name} group={group} current={current} />)}
    </nav>
  );
}

function GroupPart({ group, current }: { group: Group; current: Operation | undefined }) {
  const isCurrent = current?.group === group.name;
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (isCurrent && details.current !== null) details.current.open = true;
  }, [isCurrent]);
  return (
    <details ref={details} className="reference-group">
      <summary lang="en" title={group.text}>
        {group.name} <span className="reference-count numbers">{group.operations.length}</span>
      </summary>
      <Links hits={group.operations.map((operation) => ({ operation, by: [] }))} current={current} q="" />
    </details>
  );
}

function Links({ hits, current, q }: { hits: readonly Hit[]; current: Operation | undefined; q: string }) {
  const { t } = useTranslation();
  return (
    <ul lang="en">
      {hits.map(({ operation, by }) => (
        <li key={operation.id}>
          <Link to="/manage/reference" search={{ open: operation.id, q }} aria-current={operation === current ? 'page' : undefined}>
            <span className="reference-path">
              <Verb verb={operation.verb} /> <span className="breakable">{operation.path}</span>
            </span>
            <span>{operation.summary}</span>
            {by.length > 0 && <span className="reference-by breakable">{t('reference.byThis', { names: by.join(', ') })}</span>}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** Read or write, told by more than its colour. */
export function Verb({ verb }: { verb: Operation['verb'] }) {
  return (
    <span className="reference-verb" data-verb={verb}>
      {verb}
    </span>
  );
}
