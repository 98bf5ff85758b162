import { Anchor, Button, Checkbox, Group, PasswordInput, Select, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { me } from '../../access/me';
import { administers } from '../../access/rights';
import { Answer } from '../../components/Answer';
import { ErrorNote } from '../../components/ErrorNote';
import { ConfirmDelete } from '../../components/form/ConfirmDelete';
import { Form } from '../../components/form/Form';
import { Page } from '../../components/Page';
import { FieldList, Section } from '../../components/Section';
import { toasts } from '../../components/toasts';
import { settings, useCheck, useRemove, useSave, type Settings } from './api';
import { complete, directions, draftOf, keeps, kinds, logins, withTracker, type Draft } from './values';
import './trackers.css';

/** The issue tracker of an app. */
export function TrackerPage({ app }: { app: App }): ReactNode {
  const { t } = useTranslation();
  const kept = useQuery(settings(app._id));
  const member = useQuery(me).data;
  return (
    <Page title={t('nav.trackers')} lead={t('trackers.lead')}>
      <Answer query={kept}>
        {(now) =>
          member !== undefined && administers(member, app._id) ? (
            <Editor key={JSON.stringify(now)} app={app} kept={now} global={member.global_admin} />
          ) : (
            <Section title={t('trackers.settings')} lead={now.set_up ? undefined : t('trackers.askAdmin')}>
              {now.set_up && <FieldList fields={[[t('trackers.tracker'), kindName(now.tracker)], [t('trackers.project'), now.project]]} />}
            </Section>
          )
        }
      </Answer>
    </Page>
  );
}

const names: Readonly<Record<string, string>> = { github: 'GitHub', gitlab: 'GitLab', jira: 'Jira' };

/** A tracker by its name. */
export const kindName = (kind: string): string => names[kind] ?? kind;

function Editor({ app, kept, global }: { app: App; kept: Settings; global: boolean }) {
  const { t } = useTranslation();
  const [d, setDraft] = useState(() => draftOf(kept));
  const [removing, setRemoving] = useState(false);
  const save = useSave(app._id);
  const check = useCheck(app._id);
  const remove = useRemove(app._id);
  const put = (more: Partial<Draft>) => setDraft({ ...d, ...more });
  const jira = d.tracker === 'jira';
  return (
    <Stack gap="md" maw={760}>
      <Section
        title={t('trackers.settings')}
        actions={
          kept.set_up && (
            <Group gap="xs">
              <Button
                variant="default"
                loading={check.isPending}
                onClick={() => check.mutate(undefined, { onSuccess: () => toasts.show(t('trackers.checked')) })}
              >
                {t('trackers.check')}
              </Button>
              {kept.has_token && (
                <Button variant="default" c="red" onClick={() => setRemoving(true)}>
                  {t('trackers.remove')}
                </Button>
              )}
            </Group>
          )
        }
      >
        {check.error !== null && <ErrorNote error={check.error} />}
        <Form
          pending={save.isPending}
          error={save.error}
          ready={complete(d, kept)}
          onSubmit={() => save.mutate(d, { onSuccess: () => toasts.show(t('trackers.saved')) })}
        >
          <Select
            label={t('trackers.tracker')}
            allowDeselect={false}
            value={d.tracker}
            data={kinds.map((value) => ({ value, label: kindName(value) }))}
            onChange={(value) => setDraft(withTracker(d, (value ?? 'github')))}
          />
          {jira && (
            <Select
              label={t('trackers.login')}
              allowDeselect={false}
              value={d.auth}
              data={logins.map((value) => ({ value, label: t(`trackers.logins.${value}`) }))}
              onChange={(value) => put({ auth: (value ?? 'basic') })}
            />
          )}
          {d.auth === 'oauth' ? (
            <Text size="sm">
              {kept.jira_address === '' ? t('trackers.noJira') : t('trackers.jiraOf', { address: kept.jira_address })}{' '}
              {global && <Anchor component={Link} to="/manage/jira">{t('trackers.toJira')}</Anchor>}
            </Text>
          ) : (
            <>
              <TextInput label={t('trackers.address')} description={t('trackers.addressHint')} type="url" required value={d.address} onChange={(e) => put({ address: e.currentTarget.value })} />
              {d.auth === 'basic' && <TextInput label={t('trackers.user')} type="email" required value={d.user} onChange={(e) => put({ user: e.currentTarget.value })} />}
              <PasswordInput
                label={t('trackers.token')}
                description={t(keeps(d, kept) ? 'trackers.tokenKept' : `trackers.tokenHint.${d.tracker}`)}
                required={!keeps(d, kept)}
                autoComplete="off"
                visibilityToggleButtonProps={{ 'aria-label': t('trackers.showToken') }}
                value={d.token}
                onChange={(e) => put({ token: e.currentTarget.value })}
              />
            </>
          )}
          <TextInput label={t('trackers.project')} description={t(`trackers.projectHint.${d.tracker}`)} required value={d.project} onChange={(e) => put({ project: e.currentTarget.value })} />
          {jira && <TextInput label={t('trackers.type')} required value={d.type} onChange={(e) => put({ type: e.currentTarget.value })} />}
          <TextInput label={t('trackers.labels')} description={t('trackers.labelsHint')} value={d.labels} onChange={(e) => put({ labels: e.currentTarget.value })} />
          {jira &&
            (['todo', 'doing', 'done'] as const).map((name) => (
              <TextInput key={name} label={t(`trackers.statuses.${name}`)} description={t('trackers.statusesHint')} value={d[name]} onChange={(e) => put({ [name]: e.currentTarget.value })} />
            ))}
          <fieldset className="tracker-directions">
            <legend>{t('trackers.directions')}</legend>
            <Stack gap="xs" mt="xs">
              {directions.map((name) => (
                <Checkbox key={name} label={t(`trackers.${name}`)} checked={d[name]} onChange={(e) => put({ [name]: e.currentTarget.checked })} />
              ))}
            </Stack>
          </fieldset>
        </Form>
      </Section>
      {removing && <ConfirmDelete what={kindName(kept.tracker)} id={app._id} remove={remove} done={t('trackers.removed')} onClose={() => setRemoving(false)} />}
    </Stack>
  );
}
