import { FileInput, Stack, Text, Textarea } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { CopyBlock } from '../../components/CopyBlock';
import { Detail } from '../../components/Detail';
import { Form } from '../../components/form/Form';
import { useFormat } from '../../i18n';
import { useAddPeople, useRemovePeople, type Cohort, type Report } from '../../parts/cohorts/api';

/** Puts people into a profile group, by a list or a file, or takes them out; and says whom nobody was found for. */
export function ChangePeople({ app, cohort, how, onClose }: { app: App; cohort: Cohort; how: 'add' | 'remove'; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const add = useAddPeople(app._id);
  const remove = useRemovePeople(app._id);
  const [text, setText] = useState('');
  const [file, setFile] = useState<File | null>(null);
  const { data, isPending, error } = how === 'add' ? add : remove;
  const submit = () =>
    how === 'add'
      ? add.mutate({ id: cohort._id, text, file: file ?? undefined })
      : remove.mutate({ id: cohort._id, uids: text.split(/[\s,]+/).filter((uid) => uid !== '') });
  return (
    <Detail title={t(how === 'add' ? 'cohorts.addPeople' : 'cohorts.removePeople')} onClose={onClose}>
      <Form button={t(how === 'add' ? 'cohorts.add' : 'cohorts.remove')} pending={isPending} error={error} ready={text.trim() !== '' || file !== null} onSubmit={submit} onCancel={onClose}>
        <Textarea
          data-autofocus
          label={t(how === 'add' ? 'cohorts.list' : 'cohorts.numbers')}
          description={t(how === 'add' ? 'cohorts.listHint' : 'cohorts.numbersHint')}
          autosize
          minRows={5}
          maxRows={14}
          value={text}
          onChange={(e) => setText(e.currentTarget.value)}
        />
        {how === 'add' && <FileInput label={t('cohorts.file')} description={t('cohorts.fileHint')} accept=".csv,.txt,.json" clearable value={file} onChange={setFile} />}
      </Form>
      {data !== undefined && <Became how={how} report={data} />}
    </Detail>
  );
}

function Became({ how, report }: { how: 'add' | 'remove'; report: Report }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Stack gap="xs" role="status">
      <Text fw={600}>{t(how === 'add' ? 'cohorts.added' : 'cohorts.removed', { matched: format.count(report.matched), changed: format.count(report.changed) })}</Text>
      {report.missed > 0 && (
        <>
          <Text size="sm">{t('cohorts.missed', { count: report.missed, number: format.count(report.missed) })}</Text>
          <CopyBlock label={t('cohorts.missedList')} code={report.unmatched.join('\n')} />
        </>
      )}
    </Stack>
  );
}
