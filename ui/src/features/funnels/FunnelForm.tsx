import { Button, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import { Form } from '../../components/form/Form';
import { PlusIcon } from '../../components/icons';
import { Section } from '../../components/Section';
import { toasts } from '../../components/toasts';
import { useEventNames } from '../../parts/events/useEventNames';
import { useFields } from '../../parts/filters/fields';
import { useSaveFunnel } from './api';
import { anchorsOf, isInner, most, moved, newStep, problems, toSent, twice, withoutStep, type Draft } from './draft';
import { Rules } from './Rules';
import { StepEditor } from './StepEditor';
import './funnels.css';

interface Props {
  app: App;
  /** What the form begins with. */
  draft: Draft;
  /** The funnel that is changed; a new one when undefined. */
  id: string | undefined;
  onDone: (id: string) => void;
  onCancel: () => void;
}

/** Makes a funnel, or changes one. */
export function FunnelForm({ app, draft: begun, id, onDone, onCancel }: Props) {
  const { t } = useTranslation();
  const member = useQuery(me).data;
  const [draft, setDraft] = useState(begun);
  const save = useSaveFunnel(app._id);
  const names = useEventNames(app._id);
  const withPeople = member !== undefined && may(member, app._id, 'users', 'r');
  const fields = useFields(app._id, 'events', draft.steps.flatMap((s) => s.alternatives.flatMap((a) => a.events)), withPeople);
  const { steps } = draft;
  const missing = problems(draft);
  const again = twice(steps);
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const submit = () =>
    save.mutate(
      { id, sent: toSent(draft) },
      {
        onSuccess: (kept) => {
          toasts.show(t('funnels.saved'));
          onDone(kept);
        },
      },
    );
  return (
    <Form pending={save.isPending} error={save.error} ready={missing.length === 0} onSubmit={submit} onCancel={onCancel} ownChecks>
      <Section title={t('funnels.about')}>
        <TextInput label={t('funnels.name')} required maxLength={200} value={draft.name} onChange={(e) => change({ name: e.currentTarget.value })} />
        <Textarea label={t('funnels.description')} autosize minRows={1} maxLength={2000} value={draft.description} onChange={(e) => change({ description: e.currentTarget.value })} />
      </Section>
      <Section title={t('funnels.steps')} lead={t('funnels.stepsHint')}>
        <Stack gap="sm">
          {steps.map((step, i) => (
            <StepEditor
              key={step.no}
              app={app}
              no={i + 1}
              step={step}
              names={names}
              withPeople={withPeople}
              inner={isInner(draft, i)}
              anchor={draft.order === 'anchored' ? anchorsOf(draft).includes(i + 1) : undefined}
              onChange={(next) => change({ steps: steps.map((s) => (s === step ? next : s)) })}
              onUp={i === 0 ? undefined : () => setDraft(moved(draft, step.no, -1))}
              onDown={i === steps.length - 1 ? undefined : () => setDraft(moved(draft, step.no, 1))}
              onRemove={steps.length <= 2 ? undefined : () => setDraft(withoutStep(draft, step.no))}
            />
          ))}
        </Stack>
        {again.length > 0 && (
          <Text size="sm" role="alert" c="red">
            {t('funnels.twice', { events: again.map(names.nameOf).join(', ') })}
          </Text>
        )}
        <div>
          <Button variant="default" leftSection={<PlusIcon size={16} />} disabled={steps.length >= most.steps} onClick={() => change({ steps: [...steps, newStep(steps)] })}>
            {t('funnels.addStep')}
          </Button>
        </div>
      </Section>
      <Rules app={app} draft={draft} names={names} fields={fields} withPeople={withPeople} onChange={change} />
      {missing.length > 0 && (
        <Text size="sm" c="dimmed" role="status" ta="end">
          {t('funnels.missing', { what: missing.map((p) => t(`funnels.problem.${p}`)).join(', ') })}
        </Text>
      )}
    </Form>
  );
}
