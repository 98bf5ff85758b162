import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Answer } from '../../components/Answer';
import { CopyField } from '../../components/CopyBlock';
import { Page } from '../../components/Page';
import { Section } from '../../components/Section';
import { base, serverAddress } from '../../lib/base';
import { useView } from '../../lib/useView';
import { description } from './api';
import type { Description } from './model';
import { OperationList } from './OperationList';
import { OperationView } from './OperationView';
import { Paragraphs } from './Prose';
import './reference.css';

/** The reference of the API: what the server says of itself, to read and to try. */
export function ReferencePage() {
  const { t } = useTranslation();
  const query = useQuery(description);
  return (
    <Page title={t('nav.reference')} lead={query.data !== undefined && t('reference.lead', { version: query.data.version })}>
      <Answer query={query}>{(data) => <Reference data={data} />}</Answer>
    </Page>
  );
}

function Reference({ data }: { data: Description }) {
  const [{ open }] = useView();
  const operation = data.operations.find(({ id }) => id === open);
  return (
    <div className="reference" data-open={open !== ''}>
      <OperationList groups={data.groups} operations={data.operations} current={operation} />
      <div className="stack reference-main">
        {operation !== undefined && <OperationView key={operation.id} operation={operation} faults={data.faults} />}
        {operation === undefined && (open === '' ? <Start text={data.text} /> : <Unknown id={open} />)}
      </div>
    </div>
  );
}

/** What holds for all operations. */
function Start({ text }: { text: string }) {
  const { t } = useTranslation();
  return (
    <>
      <Section title={t('reference.start')}>
        <CopyField label={t('reference.address')} hint={t('reference.addressHint')} value={serverAddress()} />
        <div lang="en">
          <Paragraphs text={text} />
        </div>
        <div className="controls">
          <Button component="a" href={`${base}/openapi.json`} variant="default">
            {t('reference.file')}
          </Button>
        </div>
      </Section>
      <Section title={t('reference.keys')} lead={t('reference.keysHint')}>
        <div className="controls">
          <Button component={Link} to="/manage/account" variant="default">
            {t('reference.toAccount')}
          </Button>
          <Button component={Link} to="/manage/tokens" variant="default">
            {t('reference.toTokens')}
          </Button>
        </div>
      </Section>
    </>
  );
}

function Unknown({ id }: { id: string }) {
  const { t } = useTranslation();
  return (
    <Section title={t('reference.unknown')} lead={t('reference.unknownHint', { id })}>
      <div className="controls">
        <Button component={Link} to="/manage/reference" variant="default">
          {t('reference.back')}
        </Button>
      </div>
    </Section>
  );
}
