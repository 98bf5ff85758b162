import { Anchor, Badge, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useUnits } from '../../components/filter/useUnits';
import { useFormat } from '../../i18n';
import { shareOf, worst, type StepRow } from './figures';
import './funnels.css';

/** A group of users as the picture draws it. */
export interface Drawn {
  name: string;
  users: readonly number[];
}

/** Whose people are wanted: those who came to a step, or those who were at one and did not come to another; steps count from 1. */
export interface Whom {
  step: number;
  not?: number;
}

interface Props {
  rows: readonly StepRow[];
  /** What steps are called, and what their conditions say. */
  names: readonly { name: string; filter: string }[];
  /** Draws a bar for each group in place of one for all. */
  groups?: readonly Drawn[];
  /** What is counted; people unless given. */
  count?: string;
  /** Shows the people; absent where they may not be seen. */
  onPeople?: ((whom: Whom) => void) | undefined;
}

/** The steps of a funnel: how many came to each, how many were lost on the way, and how long it took. */
export function FunnelPicture({ rows, names, groups = [], count = '', onPeople }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const { units } = useUnits(count);
  const bad = worst(rows);
  return (
    <ol className="funnel" aria-label={t('funnels.picture')}>
      {rows.map((row, i) => (
        <li key={row.no}>
          {i > 0 && <Lost row={row} worst={row === bad} count={count} onPeople={onPeople} />}
          <div className="funnel-name">
            <span className="funnel-no" aria-hidden>
              {row.no}
            </span>
            <div className="breakable">
              <Text span fw={600} size="sm">
                {names[i]?.name ?? ''}
              </Text>
              {row.step.optional === true && (
                <Badge ms={6} size="sm" variant="default">
                  {t('funnels.optional')}
                </Badge>
              )}
              {names[i]?.filter !== undefined && names[i].filter !== '' && (
                <Text size="xs" c="dimmed">
                  {names[i].filter}
                </Text>
              )}
            </div>
          </div>
          <div className="funnel-track">
            {groups.length === 0 ? (
              <span className="funnel-bar" style={wide(row.share)} />
            ) : (
              groups.map((g, n) => (
                <span key={g.name} className="funnel-bar" data-thin data-series={n + 1} title={`${g.name}: ${format.percent(groupShare(g, i))}`} style={wide(groupShare(g, i))} />
              ))
            )}
            {row.before !== undefined && <span className="funnel-bar" data-before style={wide(row.before)} />}
          </div>
          <div className="funnel-figures">
            <div className="funnel-share">{format.percent(row.share)}</div>
            <People count={row.step.users} text={t('funnels.people', { number: format.count(row.step.users), units: units(row.step.users) })} onClick={onPeople && (() => onPeople({ step: row.no }))} />
            {row.before !== undefined && (
              <Text size="xs" c="dimmed">
                {t('funnels.before', { share: format.percent(row.before) })}
              </Text>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}

/** The share of a group's own beginners who came to a step, counted from 0. */
function groupShare({ users }: Drawn, step: number): number {
  return shareOf(users[step] ?? 0, users[0] ?? 0);
}

/** The width of a bar; what is more than nothing can be seen. */
function wide(share: number) {
  return { width: `${Math.min(1, share) * 100}%`, minWidth: share > 0 ? 2 : 0 };
}

/** What lies between a step and the one before. */
function Lost({ row, worst, count, onPeople }: { row: StepRow; worst: boolean; count: string; onPeople: ((whom: Whom) => void) | undefined }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { units } = useUnits(count);
  const { from, dropped, droppedShare, took } = row;
  return (
    <div className="funnel-lost" data-worst={worst || undefined}>
      {from !== undefined && (
        <span>
          <span className="funnel-drop">{t('funnels.dropped', { share: format.percent(droppedShare) })}</span>
          {' · '}
          <People
            count={dropped}
            text={t('funnels.people', { number: format.count(dropped), units: units(dropped) })}
            name={t('funnels.droppedPeople', { count: dropped, number: format.count(dropped), step: row.no })}
            onClick={onPeople && (() => onPeople({ step: from, not: row.no }))}
          />
        </span>
      )}
      {took !== undefined && took.count > 0 && (
        <span title={t('funnels.tookMore', { mean: format.duration(took.mean), p90: format.duration(took.p90), max: format.duration(took.max) })}>
          {t('funnels.took', { median: format.duration(took.median) })}
        </span>
      )}
    </div>
  );
}

function People({ count, text, name, onClick }: { count: number; text: string; name?: string; onClick: (() => void) | undefined }) {
  if (onClick === undefined || count === 0) {
    return (
      <Text span size="sm" c="dimmed">
        {text}
      </Text>
    );
  }
  return (
    <Anchor component="button" type="button" size="sm" aria-label={name} onClick={onClick}>
      {text}
    </Anchor>
  );
}
