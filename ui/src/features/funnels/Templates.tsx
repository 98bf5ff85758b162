import { Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import { useModules } from '../../access/useModules';
import { Section } from '../../components/Section';
import { useFormat } from '../../i18n';
import { defaultPeriod } from '../../lib/period';
import { paths, type Sent } from '../flows/api';
import { sessionKey, useEventNames } from '../../parts/events/useEventNames';
import { draftOfTemplate, type Draft } from './draft';
import { templatesOf, type PathStep, type Template } from './templates';

/** What the paths of an app begin with: a session of a person, and what follows in it. */
const asked = (type: 'events' | 'views'): Sent => ({
  type,
  start: { event: sessionKey },
  end: {},
  exclude: [],
  options: { bound: 'session', after: 5, nodes: 8, kinds: [type, 'sessions'] },
});

/** Paths of the last 30 days that many people of an app take: those of its events, else those of its views. */
function useTemplates(app: App): Template[] {
  const member = useQuery(me).data;
  const switchedOn = useModules();
  const allowed = member !== undefined && may(member, app._id, 'flows', 'r') && switchedOn?.includes('flows') === true;
  const events = useQuery({ ...paths(app, asked('events'), defaultPeriod), enabled: allowed });
  const ofEvents = useMemo(() => templatesOf(events.data?.levels ?? [], sessionKey), [events.data]);
  const views = useQuery({ ...paths(app, asked('views'), defaultPeriod), enabled: allowed && events.isSuccess && ofEvents.length === 0 });
  return useMemo(() => (ofEvents.length > 0 ? ofEvents : templatesOf(views.data?.levels ?? [], sessionKey)), [ofEvents, views.data]);
}

/** Offers the app's own most frequent paths as funnels; nothing where there are none. */
export function Templates({ app, onChoose }: { app: App; onChoose: (draft: Draft) => void }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { nameOf } = useEventNames(app._id);
  const templates = useTemplates(app);
  if (templates.length === 0) return null;
  const name = ({ event, name: view }: PathStep) => view ?? nameOf(event);
  return (
    <Section title={t('funnels.templates')} lead={t('funnels.templatesHint')}>
      <ul className="funnel-templates">
        {templates.map((template) => {
          const way = template.steps.map(name).join(' → ');
          return (
            <li key={way}>
              <UnstyledButton className="funnel-template" onClick={() => onChoose(draftOfTemplate(way, template.steps))}>
                <span className="breakable">{way}</span>
                <Text span size="xs" c="dimmed">
                  {t('funnels.templateUsers', { count: template.users, number: format.count(template.users) })}
                </Text>
              </UnstyledButton>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
