import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import type { useEventNames } from '../../parts/events/useEventNames';
import { properties } from '../../parts/properties/api';
import { useScopeFields } from '../../parts/filters/useScopeFields';
import type { Known } from './language';

const none: readonly string[] = [];

/** What formulas of an app may name: its events, and their properties and those of users. */
export function useKnown(app: App, names: ReturnType<typeof useEventNames>): Known {
  const { t } = useTranslation();
  const known = useQuery(properties(app._id)).data;
  const people = useScopeFields(app, none);
  return useMemo((): Known => {
    const own = [
      { value: 's', label: t('formulas.ofSum') },
      { value: 'dur', label: t('formulas.ofDuration') },
    ];
    const ofPeople = people.filter((f) => f.hidden !== true).filter((f) => f.path.startsWith('up.') || f.path.startsWith('custom.')).map((f) => ({ value: f.path, label: f.name }));
    return {
      about: (name) => t(`formulas.about.${name}`),
      events: names.options.flatMap((o) => o.items),
      properties: (event) => {
        const listed = (known?.events.find((e) => e.key === event)?.properties ?? []).filter((p) => !p.hidden);
        const numbers = listed.filter((p) => p.kind === 'number');
        const others = listed.filter((p) => p.kind !== 'number');
        return [...numbers, ...others].map((p) => ({ value: `sg.${p.name}`, label: p.label ?? p.name })).concat(own, ofPeople);
      },
    };
  }, [t, known, people, names.options]);
}
