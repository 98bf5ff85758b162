import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { Answer } from '../../components/Answer';
import { Detail } from '../../components/Detail';
import { ServerTable } from '../../components/table/ServerTable';
import { useFormat } from '../../i18n';
import { profileFile, profileList } from '../profiles/api';
import { useProfileColumns } from '../profiles/ProfilesPage';
import { SaveCohort } from '../cohorts/SaveCohort';
import { reached, type Asked } from './api';
import type { Whom } from './FunnelPicture';

/** How many people one list can be of: their numbers are part of its address. */
const most = 300;

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
export function People({ app, id, asked, whom: { step, not }, names, onClose }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const name = (no: number) => `${no}. ${names[no - 1] ?? ''}`;
  const title = not === undefined ? t('funnels.whoReached', { step: name(step) }) : t('funnels.whoDropped', { step: name(step), not: name(not) });
  const query = useQuery(reached(app, id, asked, step - 1, not === undefined ? undefined : not - 1));
  return (
    <Detail title={title} onClose={onClose}>
      <Answer query={query}>
        {(uids) => (
          <>
            <Text size="sm" c="dimmed">
              {t('funnels.people', { count: uids.length, number: format.count(uids.length) })}
              {uids.length > most && ` · ${t('funnels.firstPeople', { count: most, number: format.count(most) })}`}
            </Text>
            {uids.length > 0 && (
              <div>
                <SaveCohort app={app} whom={{ uids }} />
              </div>
            )}
            {uids.length > 0 && <Listed app={app} title={title} uids={uids.slice(0, most)} />}
          </>
        )}
      </Answer>
    </Detail>
  );
}

function Listed({ app, title, uids }: { app: App; title: string; uids: readonly string[] }) {
  const columns = useProfileColumns(app);
  const filter = { uid: { $in: uids } };
  return (
    <ServerTable
      caption={title}
      list={profileList(app._id, filter)}
      columns={columns}
      order="-lac"
      usuallyHidden="fac,tsd,cty,d,av,p"
      file={`${app.name} ${title}`}
      exported={profileFile(app._id, filter)}
      size={10}
      bare
      aside
    />
  );
}
