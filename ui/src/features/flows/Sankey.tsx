import { Button, Popover, Stack, Text } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../i18n';
import type { Level, Node } from './api';
import { stepOf, type Walk } from './draft';
import { boxWidth, layOut, type Band, type Box } from './layout';
import './flows.css';

interface Props {
  levels: readonly Level[];
  /** How many paths there are. */
  total: number;
  nameOf: (node: Node) => string;
  /** What can be done with a step; nothing without onWalk. */
  walksAt?: ((step: string) => readonly Walk[]) | undefined;
  onWalk?: ((walk: Walk, step: string) => void) | undefined;
  /** Shows more steps a level; absent where there are as many as there may be. */
  onMore?: (() => void) | undefined;
}

/** The levels of a flow as columns, steps as nodes as high as their paths are many, and between them where paths go on. */
export function Sankey({ levels, total, nameOf, walksAt, onWalk, onMore }: Props) {
  const { t } = useTranslation();
  const title = useTitle();
  const [active, setActive] = useState<Box>();
  const list = useRef<HTMLOListElement>(null);
  const walks = useRef(false);
  useEffect(() => {
    // A step that was walked from may be gone; who walks by keyboard goes on at the first one.
    if (walks.current && document.activeElement === document.body) list.current?.querySelector('button')?.focus();
    walks.current = false;
  }, [levels]);
  const walk = (how: Walk, step: string) => {
    walks.current = true;
    onWalk?.(how, step);
  };
  const { height, boxes, bands } = useMemo(() => layOut(levels), [levels]);
  const wide = Math.max(1, levels.length - 1 + boxWidth);
  return (
    <div className="flow-scroll">
      <div className="flow" style={{ minWidth: `${levels.length * 9.5}rem` }} data-active={active !== undefined || undefined} onMouseLeave={() => setActive(undefined)}>
        <ol className="flow-heads" aria-hidden style={{ gridTemplateColumns: levels.map((_, i) => `minmax(0, ${i === levels.length - 1 ? boxWidth : 1}fr)`).join(' ') }}>
          {levels.map(({ level }) => (
            <li key={level}>{title(level)}</li>
          ))}
        </ol>
        <div className="flow-picture" style={{ height }}>
          <svg viewBox={`0 0 ${wide} ${height}`} preserveAspectRatio="none" aria-hidden focusable="false">
            {bands.map((band) => (
              <path key={`${band.column} ${band.from} ${band.to}`} d={band.path} data-series={band.color} data-on={touches(band, active) || undefined} />
            ))}
          </svg>
          <ol ref={list} aria-label={t('flows.picture')}>
            {boxes.map((level, column) => (
              <li key={levels[column]?.level}>
                <ul aria-label={title(levels[column]?.level ?? 0)}>
                  {level.map((box) => (
                    <li
                      key={box.place}
                      style={{ insetInlineStart: `${(column / wide) * 100}%`, width: `${(boxWidth / wide) * 100}%`, top: box.top, height: box.height }}
                      onMouseEnter={() => setActive(box)}
                      onFocus={() => setActive(box)}
                      onBlur={() => setActive(undefined)}
                    >
                      <Step box={box} level={levels[column]?.level ?? 0} total={total} name={nameOf(box.node)} walksAt={walksAt} onWalk={walk} onMore={onMore} />
                    </li>
                  ))}
                </ul>
              </li>
            ))}
          </ol>
        </div>
      </div>
    </div>
  );
}

/** Whether a band begins or ends at a node. */
function touches({ column, from, to }: Band, box: Box | undefined): boolean {
  return box !== undefined && ((column === box.column && from === box.place) || (column + 1 === box.column && to === box.place));
}

/** What a level is called. */
export function useTitle(): (level: number) => string {
  const { t } = useTranslation();
  return (level) => (level === 0 ? t('flows.level') : level > 0 ? t('flows.levelAfter', { count: level }) : t('flows.levelBefore', { count: -level }));
}

/** How high a node is, in pixels, whose figures stand below its name, and where they may take two lines. On one line, what does not fit is left out. */
const [twoLines, threeLines] = [44, 62];

/** How high a line of text is, in pixels: a lower bar would run through it. */
const textHeight = 18;

interface StepProps extends Pick<Props, 'total' | 'walksAt' | 'onWalk' | 'onMore'> {
  box: Box;
  level: number;
  name: string;
}

/** A node: a button that says all of it, and opens what can be done with it. */
function Step({ box, level, total, name, walksAt, onWalk, onMore }: StepProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const title = useTitle();
  const [opened, setOpened] = useState(false);
  const { node, bar, barTop, top, ended, height, color } = box;
  const share = format.percent(total === 0 ? 0 : node.paths / total);
  const left = format.percent(node.paths === 0 ? 0 : node.ended / node.paths);
  const label = t('flows.node', {
    level: title(level),
    name,
    paths: t('flows.paths', { count: node.paths, number: format.count(node.paths) }),
    people: t('flows.people', { count: node.users, number: format.count(node.users) }),
    share,
    ended: t(level < 0 ? 'flows.begunHere' : 'flows.endedHere', { number: format.count(node.ended), share: left }),
  });
  const step = stepOf(node);
  const able = step === undefined || walksAt === undefined ? [] : walksAt(step);
  const choose = (run: () => void) => () => {
    setOpened(false);
    run();
  };
  const actions = step === undefined ? (onMore === undefined ? [] : [{ name: t('flows.more'), run: onMore }]) : able.map((walk) => ({ name: t(`flows.walk.${walk}`), run: () => onWalk?.(walk, step) }));
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <button type="button" className="flow-node" data-series={color} title={label} onClick={() => setOpened(!opened)}>
          <span className="visually-hidden">{label}</span>
          <span className="flow-bar" aria-hidden style={{ top: barTop - top, height: Math.max(2, bar) }}>
            <span style={{ height: ended }} />
          </span>
          <span className="flow-text" aria-hidden data-thin={bar < textHeight || undefined} data-small={height < twoLines || undefined} data-tall={height >= threeLines || undefined}>
            <span className="flow-name">
              <bdi>{name}</bdi>
            </span>
            <span className="flow-figures">
              <span>{share}</span>
              {height >= twoLines && node.ended > 0 && <span>{t(level < 0 ? 'flows.begun' : 'flows.ended', { share: left })}</span>}
            </span>
          </span>
        </button>
      </Popover.Target>
      <Popover.Dropdown aria-label={name} p={6}>
        <Text size="xs" c="dimmed" p={6} maw={260} className="breakable">
          {label}
        </Text>
        <Stack gap={2}>
          {actions.map((action) => (
            <Button key={action.name} variant="subtle" size="compact-md" justify="start" onClick={choose(action.run)}>
              {action.name}
            </Button>
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
