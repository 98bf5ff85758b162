import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { readFilter } from '../../components/filter/filter';
import { parseSort } from '../../components/table/columns';
import { pageOf } from '../../components/table/listing';
import { useView } from '../../lib/useView';
import { profileList } from '../../parts/people/api';

/** How many people a page of the list has. */
export const listSize = 25;

/** The ways to the next and the previous person of the list that led here; nothing where none did. */
export function Neighbours({ app, uid }: { app: App; uid: string }): ReactNode {
  const { t } = useTranslation();
  const [view] = useView();
  const filter = readFilter(view.filter);
  const list = profileList(app._id, filter === undefined || Object.keys(filter).length === 0 ? undefined : filter);
  const state = { search: view.q.trim(), sort: parseSort(view.sort), size: listSize };
  const here = useQuery({ ...pageOf(list, { ...state, page: view.page }), enabled: view.sort !== '' }).data;
  const at = here?.aaData.findIndex((p) => p.uid === uid) ?? -1;
  const pages = Math.ceil((here?.iTotalDisplayRecords ?? 0) / listSize);
  const after = useQuery({ ...pageOf(list, { ...state, page: view.page + 1 }), enabled: at === listSize - 1 && view.page < pages }).data;
  const ahead = useQuery({ ...pageOf(list, { ...state, page: view.page - 1 }), enabled: at === 0 && view.page > 1 }).data;
  if (here === undefined || at < 0) return null;
  const before = at > 0 ? { uid: here.aaData[at - 1]?.uid, page: view.page } : { uid: ahead?.aaData.at(-1)?.uid, page: view.page - 1 };
  const next = at < here.aaData.length - 1 ? { uid: here.aaData[at + 1]?.uid, page: view.page } : { uid: after?.aaData[0]?.uid, page: view.page + 1 };
  const way = (label: string, to: { uid: string | undefined; page: number }) => {
    const there = to.uid;
    if (there === undefined)
      return (
        <Button variant="default" disabled>
          {label}
        </Button>
      );
    return (
      <Button variant="default" renderRoot={(props) => <Link {...props} to="/apps/$appId/profiles/$uid" params={{ appId: app._id, uid: there }} search={(s) => ({ ...s, page: to.page })} />}>
        {label}
      </Button>
    );
  };
  return (
    <Group gap="xs" className="no-print">
      {way(t('profiles.previous'), before)}
      {way(t('profiles.next'), next)}
    </Group>
  );
}
