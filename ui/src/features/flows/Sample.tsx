import { useTranslation } from 'react-i18next';
import type { Level } from './api';
import { Sankey } from './Sankey';

const sample: Level[] = [
  {
    level: 0,
    nodes: [{ event: 'visit', paths: 1240, users: 810, ended: 130 }],
    links: [
      { from: 0, to: 0, paths: 640, users: 480 },
      { from: 0, to: 1, paths: 290, users: 240 },
      { from: 0, to: 2, paths: 180, users: 150 },
    ],
  },
  {
    level: 1,
    nodes: [
      { event: 'look', paths: 640, users: 480, ended: 120 },
      { event: 'search', paths: 290, users: 240, ended: 70 },
      { other: true, paths: 180, users: 150, ended: 90 },
    ],
    links: [
      { from: 0, to: 0, paths: 400, users: 310 },
      { from: 0, to: 1, paths: 120, users: 100 },
      { from: 1, to: 0, paths: 90, users: 80 },
      { from: 1, to: 1, paths: 130, users: 110 },
      { from: 2, to: 1, paths: 90, users: 80 },
    ],
  },
  {
    level: 2,
    nodes: [
      { event: 'cart', paths: 490, users: 380, ended: 200 },
      { event: 'look', paths: 340, users: 280, ended: 340 },
    ],
    links: [{ from: 0, to: 0, paths: 290, users: 260 }],
  },
  { level: 3, nodes: [{ event: 'pay', paths: 290, users: 260, ended: 290 }], links: [] },
];

/** What a flow looks like, where there is none yet. */
export function Sample() {
  const { t } = useTranslation();
  const names = new Map([
    ['visit', t('flows.sample.visit')],
    ['look', t('flows.sample.look')],
    ['search', t('flows.sample.search')],
    ['cart', t('flows.sample.cart')],
    ['pay', t('flows.sample.pay')],
  ]);
  return (
    <div className="pad flow-sample" aria-hidden inert>
      <Sankey levels={sample} total={1240} nameOf={({ event = '' }) => names.get(event) ?? t('flows.other')} />
    </div>
  );
}
