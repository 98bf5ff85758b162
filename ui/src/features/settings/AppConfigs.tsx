import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Answer } from '../../components/Answer';
import { toasts } from '../../components/toasts';
import type { App } from '../../access/apps';
import { appValues, configs, schema, useSetAppConfigs, type Values } from './api';
import { SettingsForm } from './SettingsForm';
import { fieldsOf, type Field } from './values';

/** The settings that an app may have of its own, in place of the server's. */
export function AppConfigs({ app }: { app: App }) {
  const { t } = useTranslation();
  const declared = useQuery(schema);
  const values = useQuery(configs(app._id));
  const own = useQuery(appValues(app._id)).data;
  const save = useSetAppConfigs(app._id);
  const set = (change: Values, done?: () => void) =>
    save.mutate(change, {
      onSuccess: () => {
        toasts.show(t('app.saved'));
        done?.();
      },
    });
  const hasOwn = (f: Field) => own?.[f.namespace]?.[f.name] !== undefined && own[f.namespace]?.[f.name] !== null;
  return (
    <Answer query={declared}>
      {(all) => (
        <Answer query={values}>
          {(now) => (
            <SettingsForm
              groups={fieldsOf(all, now, true)}
              pending={save.isPending}
              error={save.error}
              onSave={set}
              below={(f) =>
                hasOwn(f) && (
                  <Text size="xs" c="dimmed" mt={4}>
                    {`${t('configs.own')} `}
                    <Anchor component="button" type="button" size="xs" underline="always" onClick={() => set({ [f.namespace]: { [f.name]: null } })}>
                      {t('configs.useServer')}
                    </Anchor>
                  </Text>
                )
              }
            />
          )}
        </Answer>
      )}
    </Answer>
  );
}
