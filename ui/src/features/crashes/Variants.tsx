import { Button, Checkbox, Group as Row, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import type { App } from '../../access/apps';
import { messageOf } from '../../api/client';
import { Section } from '../../components/Section';
import { toasts } from '../../components/toasts';
import { useFormat } from '../../i18n';
import { useSplit, variants, type Group } from './api';

/** What a group is made of, where that is more than one thing; some of it can be split off. */
export function Variants({ app, group }: { app: App; group: Group }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data } = useQuery(variants(app._id, group._id));
  const member = useQuery(me).data;
  const split = useSplit(app._id, group._id);
  const [picked, pick] = useState<ReadonlySet<string>>(new Set());
  if (data === undefined || data.total < 2) return null;
  const changes = member !== undefined && may(member, app._id, 'crashes', 'u');
  const toggle = (id: string) => {
    const next = new Set(picked);
    if (!next.delete(id)) next.add(id);
    pick(next);
  };
  const act = () =>
    split.mutate([...picked], {
      onSuccess: () => {
        toasts.show(t('crashes.splitDone'));
        pick(new Set());
      },
      onError: (error) => toasts.show(messageOf(error), 'failed'),
    });
  return (
    <Section
      title={t('crashes.variants', { count: data.total })}
      lead={t('crashes.variantsLead')}
      actions={
        changes && (
          <Button variant="default" disabled={picked.size === 0 || picked.size >= data.total || split.isPending} onClick={act}>
            {t('crashes.split')}
          </Button>
        )
      }
    >
      <Stack gap="sm" component="ul" m={0} p={0} className="crash-regrouped">
        {data.variants.map((one) => (
          <li key={one._id}>
            <Row gap="sm" wrap="nowrap" align="start">
              {changes && <Checkbox className="no-print" aria-label={t('crashes.pick', { name: one.name })} checked={picked.has(one._id)} onChange={() => toggle(one._id)} />}
              <div>
                <Text size="sm" className="breakable">
                  <bdi>{one.name}</bdi>
                </Text>
                <Text size="sm" c="dimmed">
                  {t('crashes.variantReports', { count: one.reports, reports: format.count(one.reports) })}
                  {one.pinned && ` · ${t('crashes.pinned')}`}
                </Text>
              </div>
            </Row>
          </li>
        ))}
      </Stack>
    </Section>
  );
}
