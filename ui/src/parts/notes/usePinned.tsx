import { useQuery } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../../access/apps';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import type { PointAction } from '../../components/chart/spec';
import { later } from '../../components/lazily';
import { momentIn } from '../../lib/period';
import { useTime } from '../../lib/useView';
import { stepOf, type Step } from '../figures/figures';
import { notes, type Note } from './api';
import { NoteList } from './NoteList';

const NoteForm = later(async () => (await import('./NoteForm')).NoteForm);

/** The notes of a chart: marks at its steps, what can be done with a step, and what stands below the chart. */
interface Pinned {
  marks: { step: number; text: string; note: Note }[];
  act: ((step: number) => PointAction[]) | undefined;
  below: ReactNode;
}

type Named = Pick<Step<{ _id: string }>, 'row' | 'days'>;

/** The moment at which a note of a step is pinned, as the app's clocks show it: its hour, or noon of its first day. */
export function clockOf({ row: { _id }, days }: Named): string {
  const hour = / (\d{1,2}):00$/.exec(_id)?.[1];
  return `${days?.from ?? ''}T${hour === undefined ? '12' : hour.padStart(2, '0')}:00`;
}

/** The notes of the page's period on a chart over time, and a way to pin another one to a step of it. */
export function usePinned(app: App, steps: readonly Named[]): Pinned {
  const { t } = useTranslation();
  const { period } = useTime(app);
  const pinned = useQuery(notes(app, period)).data;
  const member = useQuery(me).data;
  const [at, pin] = useState<number>();
  const mayWrite = member !== undefined && may(member, app._id, 'core', 'c');
  const like = steps[0]?.row._id ?? '';
  const marks = useMemo(() => {
    const index = new Map(steps.map(({ row }, i) => [row._id, i]));
    return [...(pinned ?? [])]
      .sort((a, b) => a.ts - b.ts)
      .flatMap((note) => {
        const step = index.get(stepOf(note.ts, app.timezone, like));
        return step === undefined ? [] : [{ step, text: note.note, note }];
      });
  }, [pinned, steps, app.timezone, like]);
  return {
    marks,
    act: mayWrite
      ? (step) => {
          const on = steps[step];
          const moment = on === undefined ? undefined : momentIn(clockOf(on), app.timezone);
          return moment === undefined ? [] : [{ label: t('notes.add'), run: () => pin(moment) }];
        }
      : undefined,
    below: (
      <>
        <NoteList app={app} marks={marks} />
        {at !== undefined && <NoteForm app={app} at={at} onClose={() => pin(undefined)} />}
      </>
    ),
  };
}
