import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../i18n';
import { sumOf, type Minute, type Tiles } from './api';
import './live.css';

const sums = ['sessions', 'events', 'new_users'] as const satisfies (keyof Minute)[];

/** People online, and what the last half hour brought. */
export function LiveTiles({ tiles }: { tiles: Tiles | undefined }) {
  const { t } = useTranslation();
  const format = useFormat();
  const list: { id: 'online' | 'users' | keyof Minute; value: number | undefined; course?: number[] | undefined }[] = [
    { id: 'online', value: tiles?.online },
    { id: 'users', value: tiles?.users },
    ...sums.map((of) => ({ id: of, value: tiles && sumOf(tiles, of), course: tiles?.minutes.map((m) => m[of]) })),
  ];
  return (
    <dl className="live-tiles">
      {list.map(({ id, value, course }) => (
        <div key={id} className="live-tile" data-first={id === 'online'}>
          <Text size="sm" c="dimmed" component="dt">
            {t(`live.tile.${id}`)}
          </Text>
          <dd>
            <span className="figure-value" title={value === undefined ? undefined : format.count(value)}>
              {value === undefined ? '–' : format.short(value)}
            </span>
            {course !== undefined && <Spark values={course} />}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The course of a figure in the small; the same numbers stand beside it, and on the live page. */
function Spark({ values }: { values: number[] }) {
  const top = Math.max(1, ...values);
  return (
    <svg className="spark" viewBox={`0 0 ${values.length * 4} 24`} preserveAspectRatio="none" aria-hidden focusable="false">
      {values.map((v, i) => {
        const height = v === 0 ? 1 : Math.max(2, (v / top) * 24);
        return <rect key={i} x={i * 4} y={24 - height} width={3} height={height} data-none={v === 0} />;
      })}
    </svg>
  );
}
