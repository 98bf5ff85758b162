import { Badge, Code, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { RawAnswer } from '../../api/raw';
import { CopyBlock } from '../../components/CopyBlock';
import { FieldList } from '../../components/Section';
import { useFormat } from '../../i18n';
import type { Description } from './model';
import { Prose } from './Prose';

/** What is said first of an answer. */
const telling = ['quipu-error', 'quipu-warning'];

/** An answer as it came: status, time, headers and body, and what a fault means. */
export function Came({ answer: { status, headers, text, isCut, size, took }, faults }: { answer: RawAnswer; faults: Description['faults'] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const code = headers.find(([name]) => name === 'quipu-error')?.[1];
  const fault = code === undefined ? undefined : faults[code];
  const sorted = [...headers.filter(([name]) => telling.includes(name)), ...headers.filter(([name]) => !telling.includes(name))];
  return (
    <div className="stack" role="status">
      <Group gap="xs">
        <Badge variant="default" size="lg" tt="none" className="reference-status" data-fine={status < 400 && code === undefined}>
          {t('reference.status', { status })}
        </Badge>
        <Text size="sm" c="dimmed" className="numbers">
          {`${t('reference.took', { ms: format.count(Math.round(took)) })} · ${t('reference.size', { bytes: format.count(size) })}`}
        </Text>
      </Group>
      {code !== undefined && (
        <div lang="en">
          <Code>{code}</Code>{' '}
          {fault !== undefined && (
            <Text size="sm" component="span">
              <Prose text={`${fault.cause} ${fault.cure}`} />
            </Text>
          )}
        </div>
      )}
      <details className="reference-group" open={headers.some(([name]) => telling.includes(name))}>
        <summary>{t('reference.headers')}</summary>
        <FieldList fields={sorted.map(([name, value]) => [name.replace(/\b\w/g, (letter) => letter.toUpperCase()), value] as const)} />
      </details>
      {text === undefined && <Text size="sm">{size === 0 ? t('reference.empty') : t('reference.noText')}</Text>}
      {text === '' && <Text size="sm">{t('reference.empty')}</Text>}
      {text !== undefined && text !== '' && <CopyBlock label={t('reference.body')} code={indented(text)} />}
      {isCut && (
        <Text size="sm" c="dimmed">
          {t('reference.cut')}
        </Text>
      )}
    </div>
  );
}

/** JSON with a line for each member; other texts as they are. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
