import { Anchor, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Answer } from '../../components/Answer';
import { Detail } from '../../components/Detail';
import { FormDialog } from '../../components/form/FormDialog';
import { actionColumn, type RowAction } from '../../components/form/RowActions';
import { Page } from '../../components/Page';
import { Section } from '../../components/Section';
import type { Column } from '../../components/table/columns';
import { DataTable } from '../../components/table/DataTable';
import { ServerTable } from '../../components/table/ServerTable';
import { toasts } from '../../components/toasts';
import { useFormat } from '../../i18n';
import { useView } from '../../lib/useView';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import type { App } from '../../access/apps';
import { environments, people, templates, useRemoveEnvironment, useRemoveTemplate, type Environment, type MadeUp, type Template } from '../../parts/demo/api';
import DemoData from '../../parts/demo/DemoData';
import { useTemplateName } from '../../parts/demo/LoadForm';
import { shippedAs } from '../../parts/demo/shipped';
import { TemplateForm } from './TemplateForm';

/** Templates of made-up apps, the populations made of them, and the way to load more. */
export function DemoPage({ app }: { app: App }) {
  const { t } = useTranslation();
  const list = useQuery(templates(app._id));
  return (
    <Page title={t('nav.demo')} lead={t('demo.pageLead')} actions={<DemoData app={app} variant="filled" size="sm" />}>
      <Answer query={list}>
        {(all) => (
          <>
            <Templates app={app} list={all} />
            <Populations app={app} list={all} />
          </>
        )}
      </Answer>
    </Page>
  );
}

type Open = { template: Template; how: 'copy' | 'change' | 'remove' };

function Templates({ app, list }: { app: App; list: readonly Template[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const nameOf = useTemplateName();
  const member = useQuery(me).data;
  const remove = useRemoveTemplate(app._id);
  const [open, setOpen] = useState<Open>();
  const mayCreate = member !== undefined && may(member, app._id, 'populator', 'c');
  const maySee = (template: Template, action: 'u' | 'd') => member !== undefined && template.app_id !== '' && may(member, template.app_id, 'populator', action);
  const close = () => setOpen(undefined);
  const columns: Column<Template>[] = [
    { key: 'name', title: t('demo.name'), fixed: true, value: nameOf, text: nameOf },
    { key: 'platforms', title: t('demo.platforms'), value: (x) => x.platformType.join(', '), text: (x) => x.platformType.join(', ') },
    { key: 'users', title: t('demo.users'), numeric: true, value: (x) => x.uniqueUserCount, text: (x) => format.count(x.uniqueUserCount) },
    { key: 'events', title: t('demo.parts.events'), numeric: true, value: (x) => x.events.length, text: (x) => format.count(x.events.length) },
    { key: 'views', title: t('demo.parts.views'), numeric: true, value: (x) => x.views.length, text: (x) => format.count(x.views.length) },
    { key: 'editor', title: t('demo.editor'), value: (x) => x.lastEditedBy, text: (x) => (shippedAs(x) === undefined ? x.lastEditedBy : t('demo.comesAlong')) },
    actionColumn((x) => {
      const what = nameOf(x);
      const actions: RowAction[] = [];
      if (mayCreate) actions.push({ label: t('demo.copy'), name: t('demo.copyWhat', { what }), onClick: () => setOpen({ template: x, how: 'copy' }) });
      if (maySee(x, 'u')) actions.push({ label: t('app.edit'), name: t('app.editWhat', { what }), onClick: () => setOpen({ template: x, how: 'change' }) });
      if (maySee(x, 'd')) actions.push({ label: t('app.delete'), name: t('app.deleteWhat', { what }), danger: true, onClick: () => setOpen({ template: x, how: 'remove' }) });
      return actions;
    }),
  ];
  return (
    <Section title={t('demo.templates')} lead={t('demo.templatesLead')}>
      <DataTable caption={t('demo.templates')} columns={columns} rows={list} file={t('demo.templates')} />
      {open?.how === 'remove' ? (
        <FormDialog
          title={t('demo.removeTemplate')}
          button={t('app.delete')}
          danger
          pending={remove.isPending}
          error={remove.error}
          onClose={close}
          onSubmit={() =>
            remove.mutate(open.template._id, {
              onSuccess: () => {
                toasts.show(t('demo.removed'));
                close();
              },
            })
          }
        >
          <Text>{t('demo.removeTemplateHint', { name: open.template.name })}</Text>
        </FormDialog>
      ) : (
        open !== undefined && (
          <TemplateForm
            app={app}
            from={open.template}
            change={open.how === 'change'}
            name={open.how === 'change' ? open.template.name : t('demo.copyOf', { name: nameOf(open.template) })}
            onClose={close}
          />
        )
      )}
    </Section>
  );
}

function Populations({ app, list }: { app: App; list: readonly Template[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const nameOf = useTemplateName();
  const [view, set] = useView();
  const member = useQuery(me).data;
  const query = useQuery(environments(app._id));
  const remove = useRemoveEnvironment(app._id);
  const mayDelete = member !== undefined && may(member, app._id, 'populator', 'd');
  const [leaving, setLeaving] = useState<Environment>();
  const templateOf = (e: Environment) => {
    const found = list.find((x) => x._id === e.templateId);
    return found === undefined ? '–' : nameOf(found);
  };
  const columns: Column<Environment>[] = [
    {
      key: 'population',
      title: t('demo.name'),
      fixed: true,
      value: (e) => e.name,
      text: (e) => e.name,
      cell: (e) => (
        <Anchor component="button" type="button" size="sm" ta="start" className="breakable" onClick={() => set({ open: e._id, q: '', page: 1 })}>
          {e.name}
        </Anchor>
      ),
    },
    { key: 'template', title: t('demo.template'), value: templateOf, text: templateOf },
    { key: 'made', title: t('demo.made'), value: (e) => e.createdAt, text: (e) => format.moment(e.createdAt, app.timezone) },
    actionColumn((e) =>
      mayDelete ? [{ label: t('demo.forget'), name: t('demo.forgetWhat', { what: e.name }), danger: true, onClick: () => setLeaving(e) }] : [],
    ),
  ];
  const open = query.data?.find((e) => e._id === view.open);
  return (
    <Section title={t('demo.populations')} lead={t('demo.populationsLead')}>
      <Answer query={query}>
        {(rows) => <DataTable caption={t('demo.populations')} columns={columns} rows={rows} file={t('demo.populations')} empty={t('demo.noPopulations')} />}
      </Answer>
      {open !== undefined && (
        <Detail title={open.name} onClose={() => set({ open: '', q: '', page: 1 })}>
          <People app={app} environment={open} />
        </Detail>
      )}
      {leaving !== undefined && (
        <FormDialog
          title={t('demo.forget')}
          button={t('demo.forget')}
          danger
          pending={remove.isPending}
          error={remove.error}
          onClose={() => setLeaving(undefined)}
          onSubmit={() =>
            remove.mutate(leaving, {
              onSuccess: () => {
                toasts.show(t('demo.forgotten'));
                setLeaving(undefined);
              },
            })
          }
        >
          <Text>{t('demo.forgetHint', { name: leaving.name })}</Text>
        </FormDialog>
      )}
    </Section>
  );
}

function People({ app, environment }: { app: App; environment: Environment }) {
  const { t } = useTranslation();
  const custom = (p: MadeUp) => Object.entries(p.custom).map(([key, value]) => `${key}: ${value}`).join(', ');
  const columns: Column<MadeUp>[] = [
    {
      key: 'userName',
      title: t('demo.person'),
      fixed: true,
      value: (p) => p.userName,
      text: (p) => p.userName,
      cell: (p) => (
        <>
          <Text size="sm">{p.userName}</Text>
          <Text size="xs" c="dimmed" className="breakable">
            {custom(p)}
          </Text>
        </>
      ),
    },
    { key: 'platform', title: t('demo.platform'), value: (p) => p.platform, text: (p) => p.platform, cell: (p) => <Group gap={4}>{`${p.platform} · ${p.device}`}</Group> },
    { key: 'appVersion', title: t('demo.version'), value: (p) => p.appVersion, text: (p) => p.appVersion },
  ];
  return <ServerTable caption={environment.name} list={people(app._id, environment)} columns={columns} order="userName" file={environment.name} />;
}
