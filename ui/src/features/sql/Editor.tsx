import { PostgreSQL, sql } from '@codemirror/lang-sql';
import { useMemo, type Ref } from 'react';
import { CodeField, type CodeHandle } from '../../components/code/CodeField';
import type { View } from './api';
import { quoted } from './result';

interface Props {
  label: string;
  hint: string;
  value: string;
  views: readonly View[];
  onChange: (value: string) => void;
  /** What Ctrl+Enter (⌘+Enter) does. */
  onRun: () => void;
  handle: Ref<CodeHandle>;
}

/** A field for a statement, with completion of views and columns. */
export function Editor({ views, ...field }: Props) {
  const language = useMemo(() => {
    const names = Object.fromEntries(views.map((v) => [v.name, v.columns.map((c) => ({ label: c.name, apply: quoted(c.name), detail: c.type, type: 'property' }))]));
    return sql({ dialect: PostgreSQL, schema: names, upperCaseKeywords: true });
  }, [views]);
  return <CodeField numbered language={language} {...field} />;
}
