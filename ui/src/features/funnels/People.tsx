import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { Answer } from '../../components/Answer';
import { Detail } from '../../components/Detail';
import { Numbered } from '../../parts/people/Numbered';
import { reached, type Asked } from './api';
import type { Whom } from './FunnelPicture';

interface Props {
  app: App;
  id: string;
  asked: Asked;
  whom: Whom;
  /** What the steps are called. */
  names: readonly string[];
  onClose: () => void;
}

/** The people who came to a step, or who were lost between two. */
export function People({ app, id, asked, whom: { step, not }, names, onClose }: Props): ReactNode {
  const { t } = useTranslation();
  const name = (no: number) => `${no}. ${names[no - 1] ?? ''}`;
  const title = not === undefined ? t('funnels.whoReached', { step: name(step) }) : t('funnels.whoDropped', { step: name(step), not: name(not) });
  const query = useQuery(reached(app, id, asked, step - 1, not === undefined ? undefined : not - 1));
  return (
    <Detail title={title} onClose={onClose}>
      <Answer query={query}>{(uids) => <Numbered app={app} title={title} uids={uids} />}</Answer>
    </Detail>
  );
}
