import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import { ApiError } from '../../api/client';
import type { CodeHandle } from '../../components/code/CodeField';
import { SampleChart } from '../../components/chart/SampleChart';
import { ErrorNote } from '../../components/ErrorNote';
import { GoesOn } from '../../components/GoesOn';
import { PlayIcon, TableIcon } from '../../components/icons';
import { TimePage } from '../../components/Page';
import { Failed, Loading, Notice } from '../../components/States';
import { formatPeriod, parsePeriod } from '../../lib/period';
import { useTime, useView } from '../../lib/useView';
import { run, saved, schema, type Asked, type Picture, type Result, type Saved } from './api';
import { Editor } from './Editor';
import { examples, placeOf } from './result';
import { ResultCard } from './ResultCard';
import { SavedList, SaveDialog } from './SavedList';
import { ViewsList } from './ViewsList';
import './sql.css';

/** What came of the last statement. */
type Outcome = { kind: 'none' } | { kind: 'runs'; task?: string } | { kind: 'done'; asked: Asked; result: Result } | { kind: 'failed'; asked: Asked; error: unknown };

const draftOf = (appID: string) => `sql:${appID}`;

/** Questions in SQL over views of an app's events, sessions and users. */
export function SqlPage({ app }: { app: App }): ReactNode {
  const { t } = useTranslation();
  const { data, error } = useQuery(saved(app._id));
  return (
    <TimePage app={app} title={t('nav.sql')} lead={t('sql.lead')}>
      {data === undefined ? error === null ? <Loading /> : <Failed error={error} /> : <Questions key={app._id} app={app} list={data} />}
    </TimePage>
  );
}

function Questions({ app, list }: { app: App; list: readonly Saved[] }) {
  const { t } = useTranslation();
  const [view, set] = useView();
  const { period } = useTime(app);
  const member = useQuery(me).data;
  const views = useQuery(schema(app._id));
  const opened = list.find((q) => q._id === view.open);
  const [sql, setText] = useState(() => opened?.sql ?? sessionStorage.getItem(draftOf(app._id)) ?? examples.events);
  const [picture, setPicture] = useState<Picture>(opened?.chart ?? 'table');
  const [outcome, setOutcome] = useState<Outcome>({ kind: 'none' });
  const [saving, save] = useState(false);
  const editor = useRef<CodeHandle>(null);
  const running = useRef<AbortController>(undefined);
  const write = (text: string) => {
    setText(text);
    sessionStorage.setItem(draftOf(app._id), text);
  };
  // The address may come to name another statement: that of a link, or of the palette.
  const [last, setLast] = useState(view.open);
  if (last !== view.open) {
    setLast(view.open);
    if (opened !== undefined) {
      setText(opened.sql);
      setPicture(opened.chart);
    }
  }
  const open = (q: Saved) => {
    write(q.sql);
    setPicture(q.chart);
    set({ open: q._id, period: formatPeriod(parsePeriod(q.period)) });
  };
  const start = async () => {
    running.current?.abort();
    const own = new AbortController();
    running.current = own;
    const asked = { sql, period };
    setOutcome({ kind: 'runs' });
    try {
      const result = await run(app, asked, own.signal, (task) => running.current === own && setOutcome({ kind: 'runs', ...(task === undefined ? {} : { task }) }));
      if (running.current === own) setOutcome({ kind: 'done', asked, result });
    } catch (failed) {
      if (running.current === own) setOutcome(own.signal.aborted ? { kind: 'none' } : { kind: 'failed', asked, error: failed });
    }
  };
  const cancel = () => {
    running.current?.abort();
    setOutcome({ kind: 'none' });
  };
  const keeps = member !== undefined && may(member, app._id, 'sql', 'c');
  const runs = outcome.kind === 'runs';
  return (
    <Stack gap="md">
      <div className="sql-desk">
        {views.data === undefined ? views.error === null ? <Loading /> : <Failed error={views.error} retry={() => void views.refetch()} /> : <ViewsList views={views.data} onPick={(name) => editor.current?.insert(name)} />}
        <section className="card pad sql-question" aria-label={t('sql.statement')}>
          <Editor label={t('sql.statement')} hint={t('sql.hint')} value={sql} views={views.data ?? []} onChange={write} onRun={() => void start()} handle={editor} />
          <Group gap="xs" mt="sm">
            <Button leftSection={<PlayIcon size={16} />} onClick={() => void start()} disabled={sql.trim() === '' || runs}>
              {t('sql.run')}
            </Button>
            {runs && (
              <Button variant="default" onClick={cancel}>
                {t('sql.cancel')}
              </Button>
            )}
            {keeps && (
              <Button variant="default" disabled={sql.trim() === ''} onClick={() => save(true)}>
                {t('sql.save')}
              </Button>
            )}
            <Text size="xs" c="dimmed">
              {t('sql.keys')}
            </Text>
          </Group>
          <Group gap="xs" mt="xs">
            <Text size="xs" c="dimmed">
              {t('sql.examples')}
            </Text>
            {(['events', 'days', 'countries'] as const).map((name) => (
              <Button key={name} size="compact-xs" variant="subtle" onClick={() => write(examples[name])}>
                {t(`sql.example.${name}`)}
              </Button>
            ))}
          </Group>
        </section>
      </div>
      {outcome.kind === 'none' && (
        <div className="card">
          <Notice icon={<TableIcon size={26} />} title={t('sql.begin')} text={t('sql.beginHint')} />
          <SampleChart label={t('sql.result')} series={[{ name: t('sql.sample.first'), values: [310, 342, 330, 371, 390, 384, 412] }, { name: t('sql.sample.second'), values: [120, 128, 125, 140, 149, 151, 160] }]} />
        </div>
      )}
      {outcome.kind === 'runs' && (outcome.task === undefined ? <Loading /> : <GoesOn task={outcome.task} />)}
      {outcome.kind === 'failed' && <Wrong outcome={outcome} onPlace={(at) => editor.current?.show(at)} />}
      {outcome.kind === 'done' && <ResultCard app={app} asked={outcome.asked} result={outcome.result} picture={picture} onPicture={setPicture} />}
      <SavedList app={app} list={list} onOpen={open} />
      {saving && (
        <SaveDialog
          app={app}
          sent={{
            ...(opened?.editable === true ? { query_id: opened._id } : {}),
            name: opened?.name ?? '',
            shared: opened?.shared ?? false,
            sql,
            period: formatPeriod(period),
            chart: picture,
          }}
          onSaved={(id) => {
            save(false);
            set({ open: id });
          }}
          onClose={() => save(false)}
        />
      )}
    </Stack>
  );
}

/** Why a statement was not answered, and where in it. */
function Wrong({ outcome, onPlace }: { outcome: Outcome & { kind: 'failed' }; onPlace: (at: number) => void }) {
  const { t } = useTranslation();
  const { error, asked } = outcome;
  const at = error instanceof ApiError ? placeOf(error.params, asked.sql) : undefined;
  return (
    <div className="card pad">
      <ErrorNote error={error} />
      {at !== undefined && (
        <Button mt="xs" size="compact-sm" variant="default" onClick={() => onPlace(at)}>
          {t('sql.showPlace')}
        </Button>
      )}
    </div>
  );
}
