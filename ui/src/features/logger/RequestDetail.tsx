import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Answer } from '../../components/Answer';
import { CopyBlock } from '../../components/CopyBlock';
import { Detail } from '../../components/Detail';
import { FieldList } from '../../components/Section';
import { Notice } from '../../components/States';
import { useFormat } from '../../i18n';
import type { App } from '../../access/apps';
import { logged, parametersOf, readable, whyOf, wordsOf, type Logged } from './api';
import { Outcome } from './Outcome';
import { placeOf } from './place';

/** All that is known of one request, beside the log. */
export function RequestDetail({ app, id, onClose }: { app: App; id: string; onClose: () => void }) {
  const { t } = useTranslation();
  const query = useQuery(logged(app._id, id));
  return (
    <Detail title={t('logger.one')} onClose={onClose}>
      <Answer query={query}>{(r) => (r === null ? <Notice title={t('logger.gone')} text={t('logger.goneHint')} /> : <Content app={app} request={r} />)}</Answer>
    </Detail>
  );
}

function Content({ app, request: r }: { app: App; request: Logged }) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const why = r.c === false ? undefined : whyOf(r.c);
  const or = (text: string) => (text === '' ? '–' : text);
  const parameters = parametersOf(r.q);
  const short = parameters.filter(([, value]) => !value.includes('\n'));
  const long = parameters.filter(([, value]) => value.includes('\n'));
  return (
    <>
      {r.c !== false && (
        <Alert color="red" title={t('logger.refused')}>
          {wordsOf(r.c)}
          {why !== undefined && (
            <Text size="sm" c="dimmed" mt={4}>
              {t(`logger.why.${why}`)}
            </Text>
          )}
        </Alert>
      )}
      {r.p.length > 0 && (
        <Alert color="yellow" title={t('logger.problem')}>
          {r.p.map((problem) => (
            <div key={problem}>{problem}</div>
          ))}
        </Alert>
      )}
      <FieldList
        fields={[
          [t('logger.outcome'), <Outcome key="outcome" of={r} />],
          [t('logger.received'), format.instant(r.reqts, app.timezone)],
          [t('logger.said'), format.instant(r.ts, app.timezone)],
          [t('logger.method'), r.b ? `${r.m}, ${t('logger.bulk')}` : r.m],
          [t('profiles.did'), or(r.d.id)],
          [t('one.devices'), or([r.d.d, r.d.p, r.d.pv].filter((text) => text !== '').join(', '))],
          [t('one.countries'), or(placeOf(r, i18n.language))],
          [t('one.app_versions'), or(r.v)],
          [t('one.sdks'), or(`${r.s.name} ${r.s.version}`.trim())],
        ]}
      />
      {r.d.id !== '' && (
        <Group>
          <Button variant="default" component={Link} to={`/apps/${app._id}/profiles?q=${encodeURIComponent(r.d.id)}`}>
            {t('logger.profile')}
          </Button>
        </Group>
      )}
      <Part title={t('logger.parameters')}>
        {parameters.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('logger.noParameters')}
          </Text>
        )}
        {short.length > 0 && <FieldList fields={short} />}
        {long.map(([name, value]) => (
          <CopyBlock key={name} label={name} code={value} />
        ))}
      </Part>
      <Part title={t('logger.response')}>
        <CopyBlock label={t('logger.response')} code={readable(r.res)} />
      </Part>
      {Object.keys(r.h).length > 0 && (
        <Part title={t('logger.headers')}>
          <FieldList fields={Object.entries(r.h).sort(([a], [b]) => a.localeCompare(b))} />
        </Part>
      )}
    </>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack gap="xs" role="group" aria-label={title}>
      <Title order={3} size="h5">
        {title}
      </Title>
      {children}
    </Stack>
  );
}
