import { Alert, Button, FileInput, PasswordInput, SegmentedControl, Select, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../components/Dialog';
import { sendRaw } from '../../api/raw';
import { Came } from './Came';
import type { Description, Operation, Parameter } from './model';
import { missing, rawOf, unreadable, type Values } from './request';

interface Props {
  operation: Operation;
  values: Values;
  onChange: (values: Values) => void;
  faults: Description['faults'];
}

/** How many parameters stand open; the rest is below a fold, but for those with a value. */
const mostOpen = 8;

/** A form of the parameters that sends the request. The key is kept by this component alone, and goes with it. */
export function TryIt({ operation, values, onChange, faults }: Props) {
  const { t } = useTranslation();
  const [way, setWay] = useState<'own' | 'key'>('own');
  const [key, setKey] = useState('');
  const [files, setFiles] = useState<Readonly<Record<string, File>>>({});
  const [isAsking, setAsking] = useState(false);
  const [wrong, setWrong] = useState('');
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const send = useMutation({
    mutationFn: () => {
      running.current = new AbortController();
      return sendRaw(rawOf(operation, values, files, way === 'key' && !operation.isPublic ? key.trim() : ''), running.current.signal);
    },
  });
  const submit = (e: SyntheticEvent) => {
    e.preventDefault();
    const lacks = [...missing(operation, values), ...(way === 'key' && !operation.isPublic && key.trim() === '' ? [t('reference.keyLabel')] : [])];
    const bad = unreadable(operation, values);
    setWrong(lacks.length > 0 ? t('reference.missing', { names: lacks.join(', ') }) : bad.length > 0 ? t('reference.badJSON', { names: bad.join(', ') }) : '');
    // What is missing may be left out on purpose in a read: the fault that comes is worth seeing.
    if (bad.length > 0 || (way === 'key' && !operation.isPublic && key.trim() === '')) return;
    if (lacks.some((name) => operation.parameters.some((one) => one.name === name && one.where === 'path'))) return;
    if (operation.verb === 'POST') setAsking(true);
    else send.mutate();
  };
  const set = (name: string, value: string) => onChange({ ...values, [name]: value });
  const open = operation.parameters.filter((one, i) => one.isRequired || i < mostOpen || (values[one.name] ?? '') !== '');
  const folded = operation.parameters.filter((one) => !open.includes(one));
  const fields = (list: readonly Parameter[]) => (
    <div className="reference-fields">
      {list.map((one) => (
        <Field
          key={`${one.where} ${one.name}`}
          parameter={one}
          value={values[one.name] ?? ''}
          onChange={(value) => set(one.name, value)}
          onFile={(file) => setFiles((before) => (file === null ? Object.fromEntries(Object.entries(before).filter(([name]) => name !== one.name)) : { ...before, [one.name]: file }))}
        />
      ))}
    </div>
  );
  return (
    <>
      <form onSubmit={submit} noValidate className="stack" aria-label={t('reference.try')}>
        {!operation.isPublic && (
          <div className="reference-fields">
            <SegmentedControl
              className="reference-way"
              aria-label={t('reference.with')}
              data={[
                { value: 'own', label: t('reference.own') },
                { value: 'key', label: t('reference.key') },
              ]}
              value={way}
              onChange={setWay}
            />
            {way === 'key' && (
              <PasswordInput label={t('reference.keyLabel')} description={t('reference.keyMemory')} autoComplete="off" value={key} onChange={(e) => setKey(e.currentTarget.value)} />
            )}
          </div>
        )}
        {fields(open)}
        {folded.length > 0 && (
          <details className="reference-group">
            <summary>{t('reference.more', { n: folded.length })}</summary>
            {fields(folded)}
          </details>
        )}
        {wrong !== '' && (
          <Text size="sm" role="alert">
            {wrong}
          </Text>
        )}
        <div className="controls">
          <Button type="submit" loading={send.isPending}>
            {t('reference.send')}
          </Button>
          {send.isPending && (
            <Button variant="default" onClick={() => running.current?.abort()}>
              {t('reference.cancel')}
            </Button>
          )}
        </div>
      </form>
      {send.error !== null && send.error.name !== 'AbortError' && <Alert color="red" title={t('reference.unreached')} />}
      {send.data !== undefined && <Came answer={send.data} faults={faults} />}
      {isAsking && (
        <Dialog onClose={() => setAsking(false)} title={t('reference.confirm')}>
          <div className="stack">
            <Text className="breakable">{t('reference.confirmHint', { path: operation.path })}</Text>
            <div className="controls reference-end">
              <Button variant="default" data-autofocus onClick={() => setAsking(false)}>
                {t('app.cancel')}
              </Button>
              <Button
                onClick={() => {
                  setAsking(false);
                  send.mutate();
                }}
              >
                {t('reference.confirmSend')}
              </Button>
            </div>
          </div>
        </Dialog>
      )}
    </>
  );
}

interface FieldProps {
  parameter: Parameter;
  value: string;
  onChange: (value: string) => void;
  onFile: (file: File | null) => void;
}

function Field({ parameter: { name, kind, type, isRequired, usual, example, values }, value, onChange, onFile }: FieldProps) {
  const { t } = useTranslation();
  const shared = { label: name, required: isRequired, description: type } as const;
  switch (kind) {
    case 'file':
      return <FileInput {...shared} onChange={onFile} clearable />;
    case 'flag':
    case 'choice': {
      const data = kind === 'flag' ? [{ value: 'true', label: t('reference.yes') }, { value: 'false', label: t('reference.no') }] : values.map((one) => ({ value: one, label: one }));
      return <Select {...shared} description={kind === 'flag' ? type : undefined} placeholder={t('reference.notSent')} clearable data={data} value={value === '' ? null : value} onChange={(next) => onChange(next ?? '')} />;
    }
    case 'json':
      return <Textarea {...shared} autosize minRows={1} maxRows={12} spellCheck={false} placeholder={example} value={value} onChange={(e) => onChange(e.currentTarget.value)} />;
    case 'number':
    case 'text':
      return <TextInput {...shared} inputMode={kind === 'number' ? 'decimal' : undefined} spellCheck={false} autoComplete="off" placeholder={usual || example} value={value} onChange={(e) => onChange(e.currentTarget.value)} />;
  }
}
