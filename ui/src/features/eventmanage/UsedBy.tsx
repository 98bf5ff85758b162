import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { usesOf } from '../../parts/events/defined';

/** Lists what names an event; nothing if nothing does. */
export function UsedBy({ appID, event }: { appID: string; event: string }) {
  const { t } = useTranslation();
  const found = useQuery(usesOf(appID, event)).data?.[event];
  if (found === undefined || (found.uses.length === 0 && found.others === 0)) return null;
  return (
    <div>
      <Text size="sm" fw={600}>
        {t('defined.usedBy')}
      </Text>
      <ul>
        {found.uses.map((use) => (
          <li key={`${use.kind} ${use.id}`} className="breakable">
            {`${t(`defined.kind.${kindOf(use.kind)}`)}: ${use.name}`}
          </li>
        ))}
        {found.others > 0 && <li>{t('defined.others', { count: found.others })}</li>}
      </ul>
    </div>
  );
}

const kinds = ['funnel', 'flow', 'formula', 'bookmark', 'view', 'group', 'cohort', 'definition'] as const;

/** What kind of thing uses an event, one of those that have a name. */
const kindOf = (kind: string) => kinds.find((k) => k === kind) ?? 'other';
