import { Accordion, Group, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { View } from './api';
import { quoted } from './result';

/** How many columns are listed before one searches. */
const most = 60;

/** The views with their columns; pressing one puts its name into the statement. */
export function ViewsList({ views, onPick }: { views: readonly View[]; onPick: (name: string) => void }) {
  const { t } = useTranslation();
  const [looked, look] = useState('');
  const wanted = looked.trim().toLocaleLowerCase();
  const open = views.map((v) => v.name);
  return (
    <section className="card pad sql-views" aria-label={t('sql.views')}>
      <TextInput size="xs" placeholder={t('sql.search')} aria-label={t('sql.search')} value={looked} onChange={(e) => look(e.currentTarget.value)} mb="xs" />
      <Accordion multiple variant="filled" chevronPosition="left" {...(wanted === '' ? { defaultValue: open.slice(0, 1) } : { value: open })}>
        {views.map(({ name, columns }) => {
          const found = columns.filter((c) => c.name.toLocaleLowerCase().includes(wanted));
          const shown = found.slice(0, most);
          return (
            <Accordion.Item key={name} value={name}>
              <Accordion.Control>
                <Text size="sm" fw={600}>
                  {name}
                </Text>
                <Text size="xs" c="dimmed">
                  {t(`sql.view.${name === 'sessions' || name === 'users' ? name : 'events'}`)}
                </Text>
              </Accordion.Control>
              <Accordion.Panel>
                <ul className="sql-columns">
                  {shown.map((c) => (
                    <li key={c.name}>
                      <UnstyledButton className="sql-column" onClick={() => onPick(quoted(c.name))} title={t('sql.insert', { name: c.name })}>
                        <Group gap="xs" justify="space-between" wrap="nowrap">
                          <Text size="xs" className="breakable" component="bdi">
                            {c.name}
                          </Text>
                          <Text size="xs" c="dimmed">
                            {t(`sql.type.${c.type}`)}
                          </Text>
                        </Group>
                      </UnstyledButton>
                    </li>
                  ))}
                </ul>
                {found.length > shown.length && (
                  <Text size="xs" c="dimmed">
                    {t('sql.moreColumns', { count: found.length - shown.length })}
                  </Text>
                )}
                {found.length === 0 && (
                  <Text size="xs" c="dimmed">
                    {t('sql.noColumns')}
                  </Text>
                )}
              </Accordion.Panel>
            </Accordion.Item>
          );
        })}
      </Accordion>
    </section>
  );
}
