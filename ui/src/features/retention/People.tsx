import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { App } from '../../access/apps';
import { Answer } from '../../components/Answer';
import { Detail } from '../../components/Detail';
import { GoesOn } from '../../components/GoesOn';
import { Numbered } from '../../parts/people/Numbered';
import { people, type Question } from './api';

/** A cell of the cohorts, by its places: all of a cohort, or those of it who came back at an age. */
export interface Whom {
  /** The place of the cohort. */
  cohort: number;
  /** The place of the age; undefined for all who started. */
  age?: number;
  /** What the list is called. */
  title: string;
}

interface Props {
  app: App;
  question: Question;
  whom: Whom;
  onClose: () => void;
}

/** The people behind a cell. */
export function People({ app, question, whom: { cohort, age, title }, onClose }: Props): ReactNode {
  const [task, setTask] = useState<string>();
  const query = useQuery(people(app, question, cohort, age, setTask));
  return (
    <Detail title={title} onClose={onClose}>
      {task !== undefined && query.isFetching && <GoesOn task={task} />}
      {(task === undefined || !query.isFetching) && <Answer query={query}>{({ uids }) => <Numbered app={app} title={title} uids={uids} />}</Answer>}
    </Detail>
  );
}
