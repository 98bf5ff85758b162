import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import type { App } from '../../access/apps';
import { Answer } from '../../components/Answer';
import { ConfirmDelete } from '../../components/form/ConfirmDelete';
import { FunnelIcon } from '../../components/icons';
import { Page, TimePage } from '../../components/Page';
import { Notice } from '../../components/States';
import { useView } from '../../lib/useView';
import { carried } from '../../lib/view';
import { funnel, useDeleteFunnel, type Single } from './api';
import { fromFunnel } from './draft';
import { FunnelFigures } from './FunnelFigures';
import { FunnelForm } from './FunnelForm';

/** One funnel: how far people got, and the forms that change or copy it. */
export function FunnelPage({ app }: { app: App }) {
  const { t } = useTranslation();
  const { funnelId = '' } = useParams({ strict: false });
  const query = useQuery(funnel(app._id, funnelId));
  if (query.data === null) {
    return (
      <Page title={t('nav.funnels')} above={{ to: `/apps/${app._id}/funnels`, label: t('nav.funnels') }} share={false}>
        <div className="card">
          <Notice icon={<FunnelIcon />} title={t('funnels.gone')} text={t('funnels.goneHint')} />
        </div>
      </Page>
    );
  }
  return <Answer query={query}>{(found) => found !== null && <One key={found._id} app={app} funnel={found} />}</Answer>;
}

function One({ app, funnel }: { app: App; funnel: Single }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const member = useQuery(me).data;
  const [view, set] = useView();
  const remove = useDeleteFunnel(app._id);
  const [leaving, setLeaving] = useState(false);
  const can = (action: 'c' | 'u' | 'd') => member !== undefined && may(member, app._id, 'funnels', action);
  const above = { to: `/apps/${app._id}/funnels`, label: t('nav.funnels') };
  const copies = view.open === 'copy' && can('c');
  if (copies || (view.open === 'edit' && can('u'))) {
    const draft = fromFunnel(funnel);
    return (
      <Page title={copies ? t('funnels.copyOf', { name: funnel.name }) : t('app.editWhat', { what: funnel.name })} above={above} share={false}>
        <FunnelForm
          app={app}
          draft={copies ? { ...draft, name: t('funnels.copyOf', { name: funnel.name }) } : draft}
          id={copies ? undefined : funnel._id}
          onDone={(funnelId) => void navigate({ to: '/apps/$appId/funnels/$funnelId', params: { appId: app._id, funnelId }, search: carried(view) })}
          onCancel={() => set({ open: '' })}
        />
      </Page>
    );
  }
  return (
    <TimePage
      app={app}
      title={funnel.name}
      above={above}
      {...(funnel.description === '' ? {} : { lead: funnel.description })}
      actions={
        <Group gap="xs">
          {can('u') && (
            <Button variant="default" onClick={() => set({ open: 'edit' })}>
              {t('app.edit')}
            </Button>
          )}
          {can('c') && (
            <Button variant="default" onClick={() => set({ open: 'copy' })}>
              {t('funnels.copy')}
            </Button>
          )}
          {can('d') && (
            <Button variant="default" c="red" onClick={() => setLeaving(true)}>
              {t('app.delete')}
            </Button>
          )}
        </Group>
      }
    >
      <FunnelFigures app={app} funnel={funnel} />
      {leaving && (
        <ConfirmDelete
          what={funnel.name}
          id={funnel._id}
          remove={remove}
          done={t('funnels.deleted')}
          onClose={() => setLeaving(false)}
          onDone={() => void navigate({ to: '/apps/$appId/funnels', params: { appId: app._id }, search: carried(view) })}
        />
      )}
    </TimePage>
  );
}
