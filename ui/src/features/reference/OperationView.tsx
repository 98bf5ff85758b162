import { Anchor, Badge, Code, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment, useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { myApps } from '../../access/apps';
import { firstOf } from '../../access/last';
import { CopyBlock, CopyButton } from '../../components/CopyBlock';
import { Section } from '../../components/Section';
import { serverAddress } from '../../lib/base';
import { useView } from '../../lib/useView';
import type { Description, Operation, Parameter, Part, Shape } from './model';
import { Verb } from './OperationList';
import { Prose } from './Prose';
import { beginning } from './request';
import { Samples } from './Samples';
import { TryIt } from './TryIt';

/** An operation: what it is for, what it takes and answers, and the form that tries it. */
export function OperationView({ operation, faults }: { operation: Operation; faults: Description['faults'] }) {
  const { t } = useTranslation();
  const [{ q }] = useView();
  const app = firstOf(useQuery(myApps).data ?? []);
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() => beginning(operation, app));
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <>
      <section className="card pad stack" aria-label={operation.summary}>
        <Anchor size="sm" className="reference-back" renderRoot={(props) => <Link {...props} to="/manage/reference" search={{ q }} />}>
          {t('reference.back')}
        </Anchor>
        <Title order={2} size="h3" ref={heading} tabIndex={-1} lang="en" className="reference-title">
          {operation.summary}
        </Title>
        <div className="reference-address">
          <Verb verb={operation.verb} />
          <Code className="breakable">{operation.path}</Code>
          <CopyButton what={t('reference.copyAddress')} text={serverAddress() + operation.path} />
        </div>
        <p className="reference-text" lang="en">
          <Prose text={operation.text} />
        </p>
      </section>
      <Section title={t('reference.parameters')}>
        {operation.parameters.length === 0 ? <Text size="sm">{t('reference.noParameters')}</Text> : <Parameters list={operation.parameters} />}
      </Section>
      <Section title={t('reference.samples')} lead={operation.isPublic ? undefined : t('reference.keyHint')}>
        <Samples operation={operation} values={values} />
      </Section>
      <Section title={t('reference.try')} lead={t('reference.tryHint')}>
        <TryIt operation={operation} values={values} onChange={setValues} faults={faults} />
      </Section>
      <Section title={t('reference.answer')}>
        <AnswerPart shape={operation.shape} media={operation.media} example={operation.example} />
      </Section>
      {operation.faults.length > 0 && (
        <Section title={t('reference.faults')} lead={t('reference.faultsHint')}>
          <Rows label={t('reference.faults')} heads={[t('reference.code'), t('reference.cause'), t('reference.cure')]}>
            {operation.faults.map((code) => (
              <tr key={code} lang="en">
                <th scope="row">
                  <Code className="breakable">{code}</Code>
                </th>
                <td>
                  <Prose text={faults[code]?.cause ?? ''} />
                </td>
                <td>
                  <Prose text={faults[code]?.cure ?? ''} />
                </td>
              </tr>
            ))}
          </Rows>
        </Section>
      )}
    </>
  );
}

/** A table that lies beside its text; on a phone it is scrolled sideways, by the keyboard, too. */
function Rows({ label, heads, children }: { label: string; heads: readonly string[]; children: ReactNode }) {
  return (
    <div className="reference-rows" tabIndex={0} role="group" aria-label={label}>
      <table>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

function Name({ name, isRequired }: { name: string; isRequired: boolean }) {
  const { t } = useTranslation();
  return (
    <th scope="row">
      <Code className="breakable">{name}</Code>{' '}
      {isRequired && (
        <Badge variant="default" size="sm" tt="none">
          {t('reference.required')}
        </Badge>
      )}
    </th>
  );
}

function Parameters({ list }: { list: readonly Parameter[] }) {
  const { t } = useTranslation();
  return (
    <Rows label={t('reference.parameters')} heads={[t('reference.name'), t('reference.where'), t('reference.type'), t('reference.what')]}>
      {list.map((one) => (
        <Fragment key={`${one.where} ${one.name}`}>
          <tr>
            <Name {...one} />
            <td>{t(`reference.in.${one.where}`)}</td>
            <td lang="en">{one.type}</td>
            <td>
              <span lang="en">
                <Prose text={one.text} />
              </span>
              {one.usual !== '' && <Given label={t('reference.usual')} value={one.usual} />}
              {one.example !== '' && <Given label={t('reference.example')} value={one.example} />}
            </td>
          </tr>
          {one.fields.map((field) => (
            <tr key={field.name}>
              <Name {...field} />
              <td lang="en">{one.name}</td>
              <td lang="en">{field.type}</td>
              <td lang="en">
                <Prose text={field.text} />
              </td>
            </tr>
          ))}
        </Fragment>
      ))}
    </Rows>
  );
}

function Given({ label, value }: { label: string; value: string }) {
  return (
    <div className="reference-given">
      {`${label}: `}
      <Code className="breakable">{value}</Code>
    </div>
  );
}

function AnswerPart({ shape, media, example }: { shape: Shape; media: readonly string[]; example: string }) {
  const { t } = useTranslation();
  const others = media.filter((one) => one !== 'application/json');
  return (
    <>
      {shape.words !== '' && (
        <Text size="sm">
          {t('reference.answerIs')} <Code lang="en">{shape.words}</Code>
        </Text>
      )}
      {others.length > 0 && (
        <Text size="sm">
          {t('reference.media')} <Code>{others.join(', ')}</Code>
        </Text>
      )}
      {shape.parts.map((part) => (
        <Fields key={part.name} part={part} />
      ))}
      {example !== '' && <CopyBlock label={t('reference.exampleOf')} code={example} />}
    </>
  );
}

function Fields({ part: { name, text, fields } }: { part: Part }) {
  const { t } = useTranslation();
  return (
    <div>
      {name !== '' && (
        <Title order={3} size="h5" lang="en">
          {name}
        </Title>
      )}
      {text !== '' && (
        <Text size="sm" c="dimmed" lang="en">
          <Prose text={text} />
        </Text>
      )}
      <Rows label={name === '' ? t('reference.answer') : name} heads={[t('reference.field'), t('reference.type'), t('reference.what')]}>
        {fields.map((field) => (
          <tr key={field.name}>
            <th scope="row">
              <Code className="breakable">{field.name}</Code>
            </th>
            <td lang="en">
              {field.type}
              {!field.isSure && <div className="reference-given">{t('reference.maybe')}</div>}
            </td>
            <td lang="en">
              <Prose text={field.text} />
            </td>
          </tr>
        ))}
      </Rows>
    </div>
  );
}
