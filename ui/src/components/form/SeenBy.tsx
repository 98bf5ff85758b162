import { Radio, Stack, TagsInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** Who sees something that was kept: its maker, members by their e-mail, of whom some may change it, or everyone. */
export interface Seen {
  by: 'me' | 'some' | 'all';
  view: string[];
  edit: string[];
}

interface Props {
  value: Seen;
  onChange: (value: Seen) => void;
  /** What it means that everyone sees it. */
  everyone: string;
  /** Whether members can be named who see it and may not change it. */
  viewers?: boolean;
  disabled?: boolean;
}

const separators = [',', ';', ' '];
const most = 100;

/** Whether somebody is named where it is shared with some. */
export const isNamed = ({ by, view, edit }: Seen): boolean => by !== 'some' || view.length + edit.length > 0;

/** Chooses who sees something that is kept. */
export function SeenBy({ value, onChange, everyone, viewers = false, disabled = false }: Props) {
  const { t } = useTranslation();
  const { by, view, edit } = value;
  const mails = (label: string, hint: string, list: string[], set: (list: string[]) => void) => (
    <TagsInput label={label} description={hint} placeholder={list.length === 0 ? 'anna@example.org' : ''} value={list} onChange={set} maxTags={most} splitChars={separators} acceptValueOnBlur clearable={false} />
  );
  return (
    <Radio.Group label={t('seen.label')} value={by} onChange={(next) => onChange({ ...value, by: next })}>
      <Stack gap="xs" mt={6}>
        <Radio value="me" label={t('seen.me')} disabled={disabled} />
        <Radio value="some" label={t('seen.some')} disabled={disabled} />
        {by === 'some' && (
          <Stack gap="xs" ps={28}>
            {viewers && mails(t('seen.viewers'), t('seen.viewersHint'), view, (list) => onChange({ ...value, view: list }))}
            {mails(t('seen.editors'), t('seen.editorsHint'), edit, (list) => onChange({ ...value, edit: list }))}
          </Stack>
        )}
        <Radio value="all" label={t('seen.all')} description={everyone} disabled={disabled} />
      </Stack>
    </Radio.Group>
  );
}
