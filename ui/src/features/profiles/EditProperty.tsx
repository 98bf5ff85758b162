import { Button, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormDialog } from '../../components/form/FormDialog';
import { toasts } from '../../components/toasts';
import type { App } from '../../access/apps';
import type { Profile } from '../../parts/people/api';
import { writeValue } from './fields';
import { typedLike, useChangeProfile } from './person';

/** The named properties that can be changed. */
const named = ['name', 'email', 'username', 'organization', 'phone', 'gender'] as const;

/** Stands for a property that there is not yet. */
const another = '+';

/** Changes a property of a person, takes one away, or adds one. */
export function EditProperty({ app, profile, onClose }: { app: App; profile: Profile; onClose: () => void }) {
  const { t } = useTranslation();
  const change = useChangeProfile(app._id, profile.uid);
  const [path, setPath] = useState<string>('name');
  const [key, setKey] = useState('');
  const valueOf = (of: string): unknown => (of.startsWith('custom.') ? profile.custom?.[of.slice(7)] : profile[of as (typeof named)[number]]);
  const shown = (of: string) => (valueOf(of) === undefined ? '' : writeValue(valueOf(of)));
  const [value, setValue] = useState(() => shown('name'));
  const choose = (next: string) => {
    setPath(next);
    setValue(next === another ? '' : shown(next));
  };
  const own = Object.entries(profile.custom ?? {}).filter(([, v]) => typeof v !== 'object');
  const at = path === another ? `custom.${key.trim()}` : path;
  const ready = path !== another || (key.trim() !== '' && value !== '');
  const submit = (next: string | undefined) =>
    change.mutate(
      { [at]: next === undefined || next === '' ? undefined : typedLike(valueOf(at), next) },
      {
        onSuccess: () => {
          toasts.show(t('profiles.changed'));
          onClose();
        },
      },
    );
  return (
    <FormDialog
      title={t('profiles.edit')}
      pending={change.isPending}
      error={change.error}
      ready={ready}
      onSubmit={() => submit(value)}
      onClose={onClose}
      below={
        path !== another &&
        valueOf(path) !== undefined && (
          <Button variant="subtle" color="red" mt="sm" loading={change.isPending} onClick={() => submit(undefined)}>
            {t('profiles.takeAway')}
          </Button>
        )
      }
    >
      <Select
        label={t('profiles.property')}
        allowDeselect={false}
        value={path}
        onChange={(next) => next !== null && choose(next)}
        data={[
          { group: t('profiles.person'), items: named.map((one) => ({ value: one, label: t(one === 'name' ? 'profiles.fullName' : `profiles.${one}`) })) },
          { group: t('profiles.custom'), items: [...own.map(([name]) => ({ value: `custom.${name}`, label: name })), { value: another, label: t('profiles.another') }] },
        ]}
      />
      {path === another && <TextInput label={t('profiles.propertyName')} required maxLength={256} value={key} onChange={(e) => setKey(e.currentTarget.value)} />}
      <TextInput label={t('profiles.value')} maxLength={256} value={value} onChange={(e) => setValue(e.currentTarget.value)} />
    </FormDialog>
  );
}
