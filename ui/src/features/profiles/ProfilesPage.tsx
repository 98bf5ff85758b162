import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Answer } from '../../components/Answer';
import { Conditions } from '../../components/filter/Conditions';
import { readFilter } from '../../components/filter/filter';
import { GoesOn } from '../../components/GoesOn';
import { Page } from '../../components/Page';
import { Section } from '../../components/Section';
import { Notice } from '../../components/States';
import { pageOf } from '../../components/table/listing';
import { ServerTable } from '../../components/table/ServerTable';
import { useFormat } from '../../i18n';
import { useView } from '../../lib/useView';
import type { App } from '../../access/apps';
import { WaysOn } from '../../parts/empty/WaysOn';
import { SaveCohort } from '../../parts/cohorts/SaveCohort';
import { useFields } from '../../parts/filters/fields';
import { SavedViews, SaveView } from '../../parts/saved/SavedViews';
import { profileFile, profileList } from '../../parts/people/api';
import { listSize } from './Neighbours';
import { useProfileColumns, usualOrder } from '../../parts/people/useProfileColumns';

const nothing = {};

/** The people who use an app; the server searches, orders and pages. A filter narrows them, and a view of them is kept under a name. */
export function ProfilesPage({ app }: { app: App }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [view, set] = useView();
  const [task, setTask] = useState<string>();
  const [chosen, setNarrows] = useState<boolean>();
  const narrows = chosen ?? view.filter !== '';
  const columns = useProfileColumns(app, true);
  const fields = useFields(app._id, 'people', [], true);
  const filter = useMemo(() => readFilter(view.filter) ?? nothing, [view.filter]);
  const narrowed = Object.keys(filter).length > 0;
  const list = profileList(app._id, narrowed ? filter : undefined);
  // The page that the table begins with, so that it is asked for once.
  const first = { search: '', sort: { key: 'lac', desc: true }, page: 1, size: listSize };
  const query = useQuery(pageOf(list, first, setTask));
  const all = useQuery(pageOf(profileList(app._id), first)).data?.iTotalDisplayRecords;
  const count = query.data?.iTotalDisplayRecords;
  const share = narrowed && count !== undefined && all !== undefined && all > 0 && ` ${t('profiles.ofAll', { total: format.count(all), share: format.percent(Math.min(1, count / all)) })}`;
  return (
    <Page
      title={t('nav.profiles')}
      lead={
        count !== undefined && (
          <span role="status">
            {t('profiles.count', { count, number: format.count(count) })}
            {share}
          </span>
        )
      }
      actions={
        all !== 0 && (
          <>
            <Button variant={narrowed ? 'light' : 'default'} aria-expanded={narrows} onClick={() => setNarrows(!narrows)}>
              {t('explore.conditions')}
            </Button>
            {narrowed && <SaveCohort app={app} whom={{ conditions: { steps: [], user_segmentation: filter } }} />}
            <SaveView app={app} page="profiles" />
          </>
        )
      }
    >
      {narrows && (
        <Section title={t('explore.conditions')} lead={t('profiles.filterHint')}>
          <Conditions app={app} fields={fields} filter={filter} onChange={(next) => set({ filter: Object.keys(next).length === 0 ? '' : JSON.stringify(next), page: 1 })} />
        </Section>
      )}
      {task !== undefined && query.isFetching && <GoesOn task={task} />}
      {(task === undefined || query.data !== undefined || query.error !== null) && (
        <Answer query={query}>
          {() =>
            count === 0 && !narrowed ? (
              <div className="card">
                <Notice title={t('profiles.none')} text={t('profiles.noneHint')} action={<WaysOn app={app} atFirst />} />
              </div>
            ) : (
              <ServerTable
                caption={t('nav.profiles')}
                list={list}
                columns={columns}
                order={usualOrder}
                usuallyHidden="fac,cty,av"
                file={`${app.name} ${t('nav.profiles')}`}
                exported={profileFile(app._id, narrowed ? filter : undefined)}
              />
            )
          }
        </Answer>
      )}
      <SavedViews app={app} quietly={!narrows} />
    </Page>
  );
}
