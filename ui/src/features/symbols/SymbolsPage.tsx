import { Anchor, Badge, Box, Button, Group, Progress, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import { Answer } from '../../components/Answer';
import { CopyBlock } from '../../components/CopyBlock';
import { ConfirmDelete } from '../../components/form/ConfirmDelete';
import { actionColumn } from '../../components/form/RowActions';
import { CodeIcon } from '../../components/icons';
import { Page } from '../../components/Page';
import { Section } from '../../components/Section';
import { Notice } from '../../components/States';
import type { Column } from '../../components/table/columns';
import { DataTable } from '../../components/table/DataTable';
import { useTableState } from '../../components/table/useTableState';
import { useSaveFile } from '../../components/useSaveFile';
import { useFormat } from '../../i18n';
import { overview, useRemove, type Missing, type Overview, type Symbols } from './api';
import { buildOf, platformFor } from './files';
import { UploadForm, type Begun } from './UploadForm';

/** The symbol files of builds: what there is, what it takes, and which builds with crashes have none. */
export function SymbolsPage({ app }: { app: App }): ReactNode {
  const { t } = useTranslation();
  const query = useQuery(overview(app._id));
  const member = useQuery(me).data;
  const adds = member !== undefined && may(member, app._id, 'crashes', 'c');
  const [begun, begin] = useState<Begun>();
  const fresh = { platform: 'android', build: '' };
  return (
    <Page title={t('nav.symbols')} lead={t('symbols.lead')} actions={adds && <Button onClick={() => begin(fresh)}>{t('symbols.upload')}</Button>}>
      <Answer query={query}>
        {(all) => (
          <>
            {all.symbols.length === 0 && all.missing.length === 0 && (
              <div className="card">
                <Notice icon={<CodeIcon size={28} />} title={t('symbols.none')} text={t('symbols.noneHint')} />
              </div>
            )}
            {all.missing.length > 0 && <WithoutSymbols app={app} all={all} onUpload={adds ? begin : undefined} />}
            {all.symbols.length > 0 && <Uploaded app={app} all={all} />}
            <Section title={t('symbols.byBuild')} lead={t(all.by_key ? 'symbols.byBuildHint' : 'symbols.byKeyOff')}>
              <CopyBlock label={t('symbols.command')} code={`QUIPU_APP_KEY=${app.key} quipu symbols upload --server ${window.location.origin} --build 1.0 dist`} />
              <Anchor size="sm" renderRoot={(props) => <Link {...props} to={`/apps/${app._id}/settings`} />}>
                {t('symbols.settings')}
              </Anchor>
            </Section>
            {begun !== undefined && <UploadForm app={app} all={all} begun={begun} onClose={() => begin(undefined)} />}
          </>
        )}
      </Answer>
    </Page>
  );
}

function WithoutSymbols({ app, all, onUpload }: { app: App; all: Overview; onUpload: ((begun: Begun) => void) | undefined }) {
  const { t } = useTranslation();
  const format = useFormat();
  const columns: Column<Missing>[] = [
    { key: 'build', title: t('symbols.build'), fixed: true, value: (m) => nameOf(m), text: (m) => nameOf(m) },
    { key: 'os', title: t('symbols.os'), value: (m) => m.os, text: (m) => (m.os === '' ? '–' : m.os) },
    { key: 'reports', title: t('symbols.reports'), numeric: true, value: (m) => m.reports, text: (m) => format.count(m.reports) },
    { key: 'last', title: t('symbols.last'), short: true, value: (m) => m.last, text: (m) => format.moment(m.last * 1000, app.timezone) },
  ];
  if (onUpload !== undefined) {
    columns.push(
      actionColumn((m) => {
        const build = buildOf(m);
        return build === '' ? [] : [{ label: t('symbols.upload'), name: t('symbols.uploadFor', { build: nameOf(m) }), onClick: () => onUpload({ platform: platformFor(m.os) ?? 'javascript', build }) }];
      }),
    );
  }
  return (
    <Section title={t('symbols.missing')} lead={t('symbols.missingLead', { count: all.days })}>
      <DataTable caption={t('symbols.missing')} columns={columns} rows={all.missing} file={`${app.name} ${t('symbols.missing')}`} pageSize={10} />
    </Section>
  );
}

/** What people know a build by. */
function nameOf({ version, build, uuid }: Missing): string {
  const rest = [build, uuid].filter((s) => s !== '').join(', ');
  if (version === '') return rest === '' ? '–' : rest;
  return rest === '' ? version : `${version} (${rest})`;
}

function Uploaded({ app, all }: { app: App; all: Overview }) {
  const { t } = useTranslation();
  const format = useFormat();
  const table = useTableState();
  const saveFile = useSaveFile();
  const member = useQuery(me).data;
  const removes = member !== undefined && may(member, app._id, 'crashes', 'd');
  const remove = useRemove(app._id);
  const [leaving, setLeaving] = useState<Symbols>();
  const columns = useMemo<Column<Symbols>[]>(() => {
    const kind = (s: Symbols) => (s.platform === 'android' || s.platform === 'javascript' ? t(`symbols.kinds.${s.platform}`) : s.platform);
    return [
      {
        key: 'builds',
        title: t('symbols.build'),
        fixed: true,
        value: (s) => s.builds.join(', '),
        text: (s) => s.builds.join(', '),
        cell: (s) => (
          <div>
            <bdi className="breakable">{s.builds.join(', ')}</bdi>
            {s.note !== '' && (
              <Text size="xs" c="dimmed">
                {s.note}
              </Text>
            )}
          </div>
        ),
      },
      {
        key: 'kind',
        title: t('symbols.kind'),
        value: kind,
        text: kind,
        cell: (s) => (
          <div>
            {kind(s)}
            {s.problem !== '' && (
              <Text size="xs" c="dimmed" maw="22rem">
                <Badge size="xs" color="orange" variant="light" mr={6} tt="none" autoContrast>
                  {t('symbols.unread')}
                </Badge>
                {s.problem}
              </Text>
            )}
          </div>
        ),
      },
      { key: 'files', title: t('symbols.files'), value: (s) => s.files.map((f) => f.name).join(', '), text: (s) => s.files.map((f) => f.name).join(', ') },
      { key: 'size', title: t('symbols.size'), numeric: true, value: (s) => s.size, text: (s) => format.bytes(s.size) },
      { key: 'tool', title: t('symbols.tool'), value: (s) => s.sym_tool_ver, text: (s) => (s.sym_tool_ver === '' ? '–' : s.sym_tool_ver) },
      { key: 'ts', title: t('symbols.uploaded'), short: true, value: (s) => s.ts, text: (s) => format.moment(s.ts * 1000, app.timezone) },
      actionColumn<Symbols>((s) => [
        ...s.files.slice(0, s.several ? 3 : 1).map((f) => ({
          label: s.files.length > 1 ? f.name : t('symbols.download'),
          name: t('symbols.downloadWhat', { file: f.name, build: s.builds.join(', ') }),
          onClick: () => void saveFile('/o', { method: 'download_symbol', app_id: app._id, symbol_id: s._id, ...(s.several ? { file_id: f.id } : {}) }),
        })),
        ...(removes ? [{ label: t('app.delete'), name: t('app.deleteWhat', { what: s.builds.join(', ') }), danger: true, onClick: () => setLeaving(s) }] : []),
      ]),
    ];
  }, [t, format, app, removes, saveFile]);
  return (
    <Section title={t('symbols.list')} lead={<Quota all={all} />}>
      <Box>
        <DataTable caption={t('symbols.list')} columns={columns} rows={all.symbols} file={`${app.name} ${t('nav.symbols')}`} {...table} />
      </Box>
      {leaving !== undefined && (
        <ConfirmDelete what={t('symbols.of', { build: leaving.builds.join(', ') })} id={leaving._id} remove={remove} done={t('symbols.deleted')} onClose={() => setLeaving(undefined)} />
      )}
    </Section>
  );
}

/** How much of its room an app uses. */
function Quota({ all }: { all: Overview }) {
  const { t } = useTranslation();
  const format = useFormat();
  const share = all.most === 0 ? 1 : Math.min(1, all.used / all.most);
  return (
    <Group gap="sm" wrap="nowrap">
      <Progress value={share * 100} color={share >= 0.9 ? 'red' : 'indigo'} w={120} aria-label={t('symbols.quota')} />
      <span>{t('symbols.used', { used: format.bytes(all.used), most: format.bytes(all.most) })}</span>
    </Group>
  );
}
