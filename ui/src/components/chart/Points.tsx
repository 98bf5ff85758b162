import { Text, useDirection } from '@mantine/core';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { paletteOf } from './palette';
import type { Drawing } from './picture';
import { PointMenu } from './PointMenu';
import { spanBetween, stepped, type Range } from './points';
import { tipOf } from './reading';
import type { PointAction, SeriesSpec } from './spec';
import { TipBox } from './TipBox';

interface Props {
  title: string;
  spec: SeriesSpec;
  hidden: ReadonlySet<string>;
  drawing: RefObject<Drawing | null>;
  plot: RefObject<HTMLDivElement | null>;
  /** Narrows the period to some steps, where that can be done. */
  onZoom: ((first: number, last: number) => void) | undefined;
  act: ((step: number) => readonly PointAction[]) | undefined;
  /** Whether the keyboard led here. */
  focused: boolean;
}

/** How far the pointer moves, in pixels, before that is a stretch rather than a click. */
const slack = 5;

/** Steps that are chosen, and where both ends lie in a chart of a width, in pixels. */
interface Chosen {
  range: Range;
  places: readonly [number, number];
  width: number;
}

/** What a pointer is about: the stretch from where it went down. */
interface Drag {
  from: number;
  x: number;
  moved: boolean;
}

/** Lets people work with the steps of a chart: drag over some to zoom in, click on one for what can be done with it; and all of it by keys. */
export default function Points({ title, spec, hidden, drawing, plot, onZoom, act, focused }: Props) {
  const { t } = useTranslation();
  const { dir } = useDirection();
  const slider = useRef<HTMLDivElement>(null);
  const drag = useRef<Drag>(undefined);
  const stretched = useRef(true);
  const last = spec.steps.length - 1;
  const [{ range, places, width }, setChosen] = useState<Chosen>({ range: { anchor: 0, at: 0 }, places: [0, 0], width: 0 });
  const [by, setBy] = useState<'pointer' | 'keys'>();
  const [menu, setMenu] = useState<{ step: number; place: number }>();
  const { first, end } = spanBetween(range, last);
  const stretch = by !== undefined && first !== end;
  // Where steps lie is known once they are drawn, which is before anybody points at them.
  const placeOf = (step: number) => drawing.current?.placeOf?.(Math.min(last, step)) ?? 0;
  const choose = (next: Range) => setChosen({ range: next, places: [placeOf(next.anchor), placeOf(next.at)], width: plot.current?.clientWidth ?? 0 });
  const openAt = (step: number) => actionsOf(step).length > 0 && setMenu({ step, place: placeOf(step) });

  useLayoutEffect(() => {
    if (focused) slider.current?.focus();
  }, [focused]);

  const actionsOf = (step: number): readonly PointAction[] => [
    ...(onZoom === undefined ? [] : [{ label: t('chart.zoomTo', { step: spec.steps[step]?.label ?? '' }), run: () => onZoom(step, step) }]),
    ...(act?.(step) ?? []),
  ];
  const clear = () => {
    drag.current = undefined;
    setBy(undefined);
    choose({ anchor: range.at, at: range.at });
  };
  const finish = () => {
    if (first !== end) onZoom?.(first, end);
    else openAt(range.at);
  };

  const stepOf = (e: MouseEvent) => {
    const box = plot.current?.getBoundingClientRect();
    return box === undefined ? undefined : drawing.current?.stepAt?.(e.clientX - box.left);
  };
  const onDown = useEffectEvent((e: PointerEvent) => {
    const step = stepOf(e);
    stretched.current = true;
    if (e.button !== 0 || step === undefined || menu !== undefined) return;
    drag.current = { from: step, x: e.clientX, moved: false };
    choose({ anchor: step, at: step });
  });
  const onMove = useEffectEvent((e: PointerEvent) => {
    const begun = drag.current;
    const step = stepOf(e);
    // A finger that moves reads the chart, as before; what it taps can be zoomed into.
    if (begun === undefined || step === undefined || e.pointerType === 'touch' || onZoom === undefined) return;
    if (!begun.moved && Math.abs(e.clientX - begun.x) < slack) return;
    begun.moved = true;
    setBy('pointer');
    choose({ anchor: begun.from, at: step });
  });
  const onUp = useEffectEvent((e: PointerEvent) => {
    const begun = drag.current;
    drag.current = undefined;
    stretched.current = begun === undefined || begun.moved || Math.abs(e.clientX - begun.x) >= slack;
    if (begun?.moved !== true) return;
    if (first !== end) onZoom?.(first, end);
    clear();
  });
  // Not when the pointer goes up: what is emulated for a finger comes after that, and would close what was opened.
  const onClick = useEffectEvent((e: MouseEvent) => {
    const step = stepOf(e);
    if (!stretched.current && step !== undefined && menu === undefined) openAt(step);
  });
  const onEscape = useEffectEvent((e: globalThis.KeyboardEvent) => {
    if (e.key === 'Escape' && drag.current !== undefined) clear();
  });

  useEffect(() => {
    const place = plot.current;
    if (place === null) return;
    const down = (e: PointerEvent) => onDown(e);
    const move = (e: PointerEvent) => onMove(e);
    const up = (e: PointerEvent) => onUp(e);
    const click = (e: MouseEvent) => onClick(e);
    const key = (e: globalThis.KeyboardEvent) => onEscape(e);
    const stop = () => {
      drag.current = undefined;
    };
    place.addEventListener('pointerdown', down);
    place.addEventListener('click', click);
    window.addEventListener('pointermove', move);
    window.addEventListener('pointerup', up);
    window.addEventListener('pointercancel', stop);
    window.addEventListener('keydown', key);
    return () => {
      place.removeEventListener('pointerdown', down);
      place.removeEventListener('click', click);
      window.removeEventListener('pointermove', move);
      window.removeEventListener('pointerup', up);
      window.removeEventListener('pointercancel', stop);
      window.removeEventListener('keydown', key);
    };
  }, [plot]);

  const onKey = (e: KeyboardEvent) => {
    const next = stepped({ key: e.key, shift: e.shiftKey && onZoom !== undefined, rtl: dir === 'rtl' }, range, last);
    if (next !== undefined) {
      setBy('keys');
      choose(next);
    } else if (e.key === 'Enter' || e.key === ' ') finish();
    else if (e.key === 'Escape' && first !== end) choose({ anchor: range.at, at: range.at });
    else return;
    e.preventDefault();
  };
  const tip = by === 'keys' ? tipOf(spec, [{ dataIndex: Math.min(range.at, last) }], paletteOf(), hidden) : undefined;
  const text = tip === undefined ? (spec.steps[range.at]?.label ?? '') : [tip.title, ...tip.rows.map(({ name, value }) => `${name} ${value}`)].join(', ');
  const chosen = first === end ? '' : ` ${t('chart.stretch', { from: spec.steps[first]?.label ?? '', to: spec.steps[end]?.label ?? '' })}`;
  return (
    <>
      <div
        ref={slider}
        role="slider"
        tabIndex={0}
        className="chart-cursor"
        aria-label={t('chart.points', { what: title })}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={Math.min(range.at, last)}
        aria-valuetext={`${text}${chosen}`}
        onKeyDown={onKey}
        onFocus={() => {
          setBy((was) => was ?? 'keys');
          choose(range);
        }}
        onBlur={() => menu === undefined && setBy(undefined)}
      />
      {stretch && <div className="chart-range" style={{ left: Math.min(...places), width: Math.abs(places[1] - places[0]) }} />}
      {(by === 'keys' || menu !== undefined) && <div className="chart-line" style={{ left: places[1] }} />}
      {tip !== undefined && <TipBox tip={tip} at={places[1]} width={width} />}
      <Text className="chart-hint no-print" size="xs" aria-hidden data-keys={by === 'keys' || undefined}>
        {by === 'keys' ? t(onZoom === undefined ? 'chart.hintKeysOnly' : 'chart.hintKeys') : t(onZoom === undefined ? 'chart.hintClick' : 'chart.hint')}
      </Text>
      {menu !== undefined && (
        <PointMenu
          label={spec.steps[menu.step]?.label ?? title}
          actions={actionsOf(menu.step)}
          place={menu.place}
          width={width}
          onClose={(chosen) => {
            setMenu(undefined);
            if (by === 'keys' && !chosen) slider.current?.focus();
          }}
        />
      )}
    </>
  );
}
