import { Accordion, Checkbox, Group, SegmentedControl, Table, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SearchIcon } from '../../components/icons';
import type { Permission } from '../../access/me';
import type { App } from '../../access/apps';
import { actions, allows, roleOf, withRight, withRole, type Role } from './permission';

interface Props {
  apps: readonly App[];
  features: readonly string[];
  value: Permission;
  onChange: (p: Permission) => void;
}

const roles = ['none', 'user', 'admin'] as const satisfies readonly Role[];
const searchFrom = 8;

/** What a member may do in each app: a role, and for users the rights feature by feature. */
export function PermissionEditor({ apps, features, value, onChange }: Props) {
  const { t } = useTranslation();
  const [q, setQ] = useState('');
  const found = apps.filter((a) => a.name.toLocaleLowerCase().includes(q.trim().toLocaleLowerCase()));
  return (
    <div>
      {apps.length >= searchFrom && (
        <TextInput mb="xs" type="search" aria-label={t('app.find')} placeholder={t('app.find')} leftSection={<SearchIcon size={16} />} value={q} onChange={(e) => setQ(e.currentTarget.value)} />
      )}
      <Accordion variant="separated" multiple chevronPosition="left" keepMounted={false}>
        {found.map((app) => {
          const role = roleOf(value, app._id);
          const title = (
            <Text fw={600} size="sm" className="breakable">
              {app.name}
            </Text>
          );
          const choice = (
            <SegmentedControl
              size="xs"
              aria-label={t('members.roleIn', { app: app.name })}
              value={role}
              onChange={(r) => onChange(withRole(value, app._id, r))}
              data={roles.map((r) => ({ value: r, label: t(`members.${r}`) }))}
            />
          );
          return (
            <Accordion.Item key={app._id} value={app._id}>
              <Group justify="space-between" pe="sm" gap="xs">
                {role === 'user' ? <Accordion.Control flex="1 1 12rem" w="auto">{title}</Accordion.Control> : <div className="accordion-plain">{title}</div>}
                <div className="accordion-choice">{choice}</div>
              </Group>
              {role === 'user' && (
                <Accordion.Panel>
                  <Matrix app={app} features={features} value={value} onChange={onChange} />
                </Accordion.Panel>
              )}
            </Accordion.Item>
          );
        })}
      </Accordion>
      {apps.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('members.noApps')}
        </Text>
      )}
    </div>
  );
}

function Matrix({ app, features, value, onChange }: Omit<Props, 'apps'> & { app: App }) {
  const { t } = useTranslation();
  const rows = [undefined, ...features];
  const name = (feature: string | undefined) => (feature === undefined ? t('members.everything') : feature.replaceAll('_', ' '));
  return (
    <Table.ScrollContainer minWidth={380}>
      <Table verticalSpacing={6}>
        <caption className="visually-hidden">{t('members.rightsIn', { app: app.name })}</caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('members.feature')}</Table.Th>
            {actions.map((a) => (
              <Table.Th key={a} scope="col" ta="center">
                {t(`members.action.${a}`)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((feature) => (
            <Table.Tr key={feature ?? ''}>
              <Table.Th scope="row" fw={feature === undefined ? 600 : 400}>
                {name(feature)}
              </Table.Th>
              {actions.map((a) => (
                <Table.Td key={a}>
                  <Checkbox
                    className="centred"
                    aria-label={`${name(feature)}: ${t(`members.action.${a}`)}`}
                    checked={allows(value, app._id, a, feature)}
                    onChange={(e) => onChange(withRight(value, app._id, a, feature, e.currentTarget.checked, features))}
                  />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
