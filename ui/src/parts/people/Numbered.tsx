import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { ServerTable } from '../../components/table/ServerTable';
import { useFormat } from '../../i18n';
import { SaveCohort } from '../cohorts/SaveCohort';
import { profileFile, profileList } from './api';
import { useProfileColumns, usualOrder } from './useProfileColumns';

/** How many people one list can be of: their numbers are part of its address. */
const most = 300;

/** People by their numbers: how many there are, a list of the first that can be saved as a file, and the way to keep all as a cohort. */
export function Numbered({ app, title, uids }: { app: App; title: string; uids: readonly string[] }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <>
      <Text size="sm" c="dimmed">
        {t('profiles.people', { count: uids.length, number: format.count(uids.length) })}
        {uids.length > most && ` · ${t('profiles.firstPeople', { count: most, number: format.count(most) })}`}
      </Text>
      {uids.length > 0 && (
        <div>
          <SaveCohort app={app} whom={{ uids }} />
        </div>
      )}
      {uids.length > 0 && <Listed app={app} title={title} uids={uids.slice(0, most)} />}
    </>
  );
}

function Listed({ app, title, uids }: { app: App; title: string; uids: readonly string[] }): ReactNode {
  const columns = useProfileColumns(app);
  const filter = { uid: { $in: uids } };
  return (
    <ServerTable
      caption={title}
      list={profileList(app._id, filter)}
      columns={columns}
      order={usualOrder}
      usuallyHidden="fac,tsd,cty,d,av,p"
      file={`${app.name} ${title}`}
      exported={profileFile(app._id, filter)}
      size={10}
      bare
      aside
    />
  );
}
