import { Group, Input, NumberInput, Radio, SegmentedControl, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../i18n';
import type { App } from '../../access/apps';
import type { LoadFields, Template } from './api';
import { shippedAs, suited } from './shipped';

const spans = [7, 30, 90, 365] as const;
const mostUsers = 20_000;

/** What the form starts with: what fits the app. */
export function initial(app: App, list: readonly Template[], template = suited(list, app.category)): LoadFields {
  return { template: template?._id ?? '', days: 90, users: Math.min(template?.uniqueUserCount ?? 300, mostUsers), environment: '' };
}

/** Whether a form can be sent. */
export function isReady({ template, users }: LoadFields): boolean {
  return template !== '' && users >= 1;
}

/** The name of a template in the reader's language. */
export function useTemplateName(): (template: Pick<Template, '_id' | 'name'>) => string {
  const { t } = useTranslation();
  return (template) => {
    const id = shippedAs(template);
    return id === undefined ? template.name : t(`demo.shipped.${id}.name`);
  };
}

interface Props {
  list: readonly Template[];
  value: LoadFields;
  onChange: (value: LoadFields) => void;
}

/** Which app to imitate, how many days back, and with how many people. */
export function LoadForm({ list, value, onChange }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const nameOf = useTemplateName();
  const id = useId();
  const chosen = list.find((x) => x._id === value.template);
  return (
    <Stack gap="md">
      <Radio.Group
        label={t('demo.kind')}
        value={value.template}
        onChange={(template) => {
          const next = list.find((x) => x._id === template);
          onChange({ ...value, template, users: Math.min(next?.uniqueUserCount ?? value.users, mostUsers) });
        }}
      >
        <SimpleGrid cols={{ base: 1, xs: 2, md: list.length > 4 ? 3 : 2 }} spacing="sm" mt={6}>
          {list.map((template) => {
            const known = shippedAs(template);
            return (
              <Radio.Card key={template._id} value={template._id} className="choice" p="sm">
                <Group wrap="nowrap" align="start" gap="sm">
                  <Radio.Indicator />
                  <div>
                    <Text size="sm" fw={600} className="breakable">
                      {nameOf(template)}
                    </Text>
                    <Text size="xs" c="dimmed">
                      {known === undefined ? t('demo.ownTemplate', { events: format.count(template.events.length) }) : t(`demo.shipped.${known}.text`)}
                    </Text>
                  </div>
                </Group>
              </Radio.Card>
            );
          })}
        </SimpleGrid>
      </Radio.Group>
      <Group align="end" gap="md">
        <div>
          <Input.Label labelElement="div" id={id} mb={4} display="block">
            {t('demo.days')}
          </Input.Label>
          <SegmentedControl
            aria-labelledby={id}
            value={String(value.days)}
            data={spans.map((n) => ({ value: String(n), label: t(`period.${n}days`) }))}
            onChange={(days) => onChange({ ...value, days: Number(days) })}
            className="wrapping"
          />
        </div>
        <NumberInput
          label={t('demo.users')}
          w={140}
          min={1}
          max={mostUsers}
          step={100}
          clampBehavior="strict"
          allowDecimal={false}
          value={value.users}
          onChange={(users) => onChange({ ...value, users: Number(users) })}
        />
        <TextInput
          label={t('demo.environment')}
          flex={1}
          miw={180}
          maxLength={200}
          placeholder={chosen?.name}
          value={value.environment}
          onChange={(e) => onChange({ ...value, environment: e.currentTarget.value })}
        />
      </Group>
    </Stack>
  );
}
