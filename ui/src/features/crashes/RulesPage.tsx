import { Anchor, Button, Checkbox, Group, Progress, Select, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import type { App } from '../../access/apps';
import { Answer } from '../../components/Answer';
import { ErrorNote } from '../../components/ErrorNote';
import { Page } from '../../components/Page';
import { FigureList, Section } from '../../components/Section';
import { toasts } from '../../components/toasts';
import { useFormat } from '../../i18n';
import { complete, frameDoes, frameTexts, maxParts, preview, regrouping, reportTexts, rules, useChangeRules, useForget, type Condition, type KeptRules, type Preview, type Rules } from './rules';

/** What makes reports one group: rules of the app, with a preview of what they would change. */
export function RulesPage({ app }: { app: App }): ReactNode {
  const { t } = useTranslation();
  const kept = useQuery(rules(app._id));
  return (
    <Page title={t('crashes.rules.title')} lead={t('crashes.rules.lead')} above={{ to: `/apps/${app._id}/crashes`, label: t('nav.crashes') }}>
      <Answer query={kept}>{(now) => <Editor key={now.version} app={app} kept={now} />}</Answer>
    </Page>
  );
}

function Editor({ app, kept }: { app: App; kept: KeptRules }) {
  const { t } = useTranslation();
  const member = useQuery(me).data;
  const changes = member !== undefined && may(member, app._id, 'crashes', 'u');
  const [draft, setDraft] = useState(kept.rules);
  const [shown, setShown] = useState<Rules>();
  const [task, setTask] = useState<string>();
  const seen = useQuery(preview(app._id, shown));
  const change = useChangeRules(app._id);
  const running = useQuery(regrouping(app._id, task));
  const forget = useForget(app._id);
  const status = running.data?.status;
  useEffect(() => {
    if (status === undefined || status === 'running') return;
    if (status === 'completed') toasts.show(t('crashes.rules.done'));
    else toasts.show(running.data?.errormsg ?? status, 'failed');
    void forget();
    // What it ended with is shown once.
  }, [status]); // oxlint-disable-line react/exhaustive-deps
  const same = JSON.stringify(draft) === JSON.stringify(kept.rules);
  const previewed = shown !== undefined && seen.data !== undefined && JSON.stringify(draft) === JSON.stringify(shown);
  const busy = (task !== undefined && (status === undefined || status === 'running')) || change.isPending;
  return (
    <>
      <Section title={t('crashes.rules.preview')} lead={t('crashes.rules.previewLead')}>
        {seen.error !== null && <ErrorNote error={seen.error} />}
        {change.error !== null && <ErrorNote error={change.error} />}
        <div aria-live="polite">
          {busy && <Text size="sm">{t('crashes.rules.working')}</Text>}
          {seen.isFetching && <Text size="sm">{t('crashes.rules.counting')}</Text>}
        </div>
        {previewed && <Changes app={app} seen={seen.data} />}
        {!previewed && !seen.isFetching && <Text size="sm">{t(same ? 'crashes.rules.unchanged' : 'crashes.rules.ask')}</Text>}
        <Group gap="xs">
          <Button variant={previewed ? 'default' : 'filled'} disabled={!complete(draft) || busy} loading={seen.isFetching} onClick={() => setShown(draft)}>
            {t('crashes.rules.previewNow')}
          </Button>
          {changes && (
            <Button disabled={same || !previewed || busy} onClick={() => change.mutate({ draft, version: kept.version }, { onSuccess: setTask })}>
              {t('crashes.rules.apply')}
            </Button>
          )}
          {!same && (
            <Button variant="default" disabled={busy} onClick={() => setDraft(kept.rules)}>
              {t('crashes.rules.discard')}
            </Button>
          )}
        </Group>
      </Section>
      <Section title={t('crashes.rules.algorithm')} lead={t('crashes.rules.algorithmLead')}>
        <Select
          label={t('crashes.rules.compare')}
          maw={420}
          allowDeselect={false}
          value={String(draft.algorithm)}
          data={['1', '2'].map((value) => ({ value, label: t(`crashes.rules.algorithms.${value as '1' | '2'}`) }))}
          onChange={(value) => setDraft({ ...draft, algorithm: Number(value ?? '1') })}
        />
      </Section>
      <Section title={t('crashes.rules.frames')} lead={t('crashes.rules.framesLead')}>
        {draft.stack.map((rule, n) => {
          const put = (more: Partial<typeof rule>) => setDraft({ ...draft, stack: draft.stack.map((r, i) => (i === n ? { ...r, ...more } : r)) });
          return (
            <One
              key={n}
              name={t('crashes.rules.frameRule', { n: n + 1 })}
              match={rule.match}
              texts={[...frameTexts, 'os']}
              onMatch={(match) => put({ match })}
              onDelete={() => setDraft({ ...draft, stack: draft.stack.filter((_, i) => i !== n) })}
            >
              <Select
                label={t('crashes.rules.do')}
                allowDeselect={false}
                value={rule.do}
                data={frameDoes.map((value) => ({ value, label: t(`crashes.rules.does.${value}`) }))}
                onChange={(value) => put({ do: value ?? 'app' })}
              />
            </One>
          );
        })}
        <div>
          <Button variant="default" onClick={() => setDraft({ ...draft, stack: [...draft.stack, { match: [{ what: 'function', pattern: '' }], do: 'system' }] })}>
            {t('crashes.rules.addFrame')}
          </Button>
        </div>
      </Section>
      <Section title={t('crashes.rules.groups')} lead={t('crashes.rules.groupsLead')}>
        {draft.fingerprints.map((rule, n) => {
          const put = (more: Partial<typeof rule>) => setDraft({ ...draft, fingerprints: draft.fingerprints.map((r, i) => (i === n ? { ...r, ...more } : r)) });
          return (
            <One
              key={n}
              name={t('crashes.rules.groupRule', { n: n + 1 })}
              match={rule.match}
              texts={[...reportTexts, ...frameTexts]}
              onMatch={(match) => put({ match })}
              onDelete={() => setDraft({ ...draft, fingerprints: draft.fingerprints.filter((_, i) => i !== n) })}
            >
              <Parts parts={rule.parts} onParts={(parts) => put({ parts })} />
            </One>
          );
        })}
        <div>
          <Button variant="default" onClick={() => setDraft({ ...draft, fingerprints: [...draft.fingerprints, { match: [{ what: 'type', pattern: '' }], parts: ['{{type}}'] }] })}>
            {t('crashes.rules.addGroup')}
          </Button>
        </div>
      </Section>
    </>
  );
}

/** The parts of a fingerprint, a field for each: a part may hold any text. */
function Parts({ parts, onParts }: { parts: readonly string[]; onParts: (parts: string[]) => void }) {
  const { t } = useTranslation();
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed">
        {t('crashes.rules.partsHint')}
      </Text>
      {parts.map((part, n) => (
        <Group key={n} gap="xs" align="end">
          <TextInput className="grow" label={t('crashes.rules.part', { n: n + 1 })} value={part} maxLength={256} onChange={(e) => onParts(parts.map((p, i) => (i === n ? e.currentTarget.value : p)))} />
          {parts.length > 1 && (
            <Button variant="subtle" aria-label={t('crashes.rules.removePart', { n: n + 1 })} onClick={() => onParts(parts.filter((_, i) => i !== n))}>
              {t('crashes.rules.removeCondition')}
            </Button>
          )}
        </Group>
      ))}
      <div>
        <Button size="compact-sm" variant="default" disabled={parts.length >= maxParts} onClick={() => onParts([...parts, ''])}>
          {t('crashes.rules.addPart')}
        </Button>
      </div>
    </Stack>
  );
}

interface OneProps {
  name: string;
  match: readonly Condition[];
  texts: readonly string[];
  onMatch: (match: Condition[]) => void;
  onDelete: () => void;
  children: ReactNode;
}

/** A rule: its conditions, all of which have to hold, and what it does. */
function One({ name, match, texts, onMatch, onDelete, children }: OneProps) {
  const { t } = useTranslation();
  const put = (n: number, more: Partial<Condition>) => onMatch(match.map((c, i) => (i === n ? { ...c, ...more } : c)));
  return (
    <Stack gap="sm" component="fieldset" className="crash-rule">
      <legend>{name}</legend>
      {match.map((c, n) => (
        <Group key={n} gap="xs" align="end">
          <Select label={t('crashes.rules.what')} allowDeselect={false} w={170} value={c.what} data={texts.map((value) => ({ value, label: t(`crashes.rules.texts.${value as 'type'}`) }))} onChange={(what) => put(n, { what: what ?? c.what })} />
          <TextInput className="grow" label={t('crashes.rules.pattern')} value={c.pattern} maxLength={256} onChange={(e) => put(n, { pattern: e.currentTarget.value })} />
          <Checkbox mb={8} label={t('crashes.rules.not')} checked={c.not === true} onChange={(e) => put(n, { not: e.currentTarget.checked })} />
          {match.length > 1 && (
            <Button variant="subtle" onClick={() => onMatch(match.filter((_, i) => i !== n))}>
              {t('crashes.rules.removeCondition')}
            </Button>
          )}
        </Group>
      ))}
      {children}
      <Group gap="xs">
        <Button size="compact-sm" variant="default" disabled={match.length >= 10} onClick={() => onMatch([...match, { what: texts[0] ?? 'function', pattern: '' }])}>
          {t('crashes.rules.addCondition')}
        </Button>
        <Button size="compact-sm" variant="subtle" c="red" onClick={onDelete} aria-label={t('crashes.rules.removeNamed', { name })}>
          {t('crashes.rules.remove')}
        </Button>
      </Group>
    </Stack>
  );
}

/** What a change makes of groups: how many there are, and where the reports of those that change come from. */
function Changes({ app, seen }: { app: App; seen: Preview }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Stack gap="md">
      <FigureList
        figures={[
          { name: t('crashes.rules.before'), value: format.count(seen.before) },
          { name: t('crashes.rules.after'), value: format.count(seen.after) },
          { name: t('crashes.rules.moved'), value: format.count(seen.reports) },
        ]}
      />
      {seen.changed === 0 && <Text size="sm">{t('crashes.rules.nothing')}</Text>}
      <ul className="crash-regrouped" aria-label={t('crashes.rules.changed')}>
        {seen.groups.map((g) => (
          <li key={g._id}>
            <Text fw={600} className="breakable">
              <bdi>{g.name}</bdi>
            </Text>
            <Text size="sm" c="dimmed">
              {t(g.new ? 'crashes.rules.newOf' : 'crashes.rules.madeOf', { count: g.origins, reports: format.count(g.reports) })}
            </Text>
            {g.from.map((from) => (
              <div key={from._id} className="crash-origin">
                <Progress value={g.reports === 0 ? 0 : (from.reports / g.reports) * 100} aria-label={t('crashes.rules.share', { name: from.name })} />
                <Anchor size="sm" className="breakable" renderRoot={(props) => <Link {...props} to="/apps/$appId/crashes/$id" params={{ appId: app._id, id: from._id }} />}>
                  {from.name}
                </Anchor>
                <Text size="sm">{format.count(from.reports)}</Text>
              </div>
            ))}
          </li>
        ))}
      </ul>
      {seen.changed > seen.groups.length && <Text size="sm">{t('crashes.rules.more', { count: seen.changed - seen.groups.length })}</Text>}
    </Stack>
  );
}
