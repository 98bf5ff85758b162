import { ActionIcon, Tooltip } from '@mantine/core';
import { useEffect, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { patiently } from '../../lib/patiently';
import { MinusIcon, PlusIcon, GlobeIcon } from '../icons';
import { drawMap, landsOf, radiusOf, type Land } from './mapDraw';
import { keyed, useMapMoves } from './mapMoves';
import { boxOf, boxOfCircle, fitted, placed, pointAt, scaleOf, squeeze, whole, type MapView, type Size } from './mapView';
import { paletteOf, useScheme } from './palette';
import { picture, type Drawing } from './picture';
import { tipOf, type Tip } from './reading';
import type { MapSpec } from './spec';
import { TipBox } from './TipBox';
import { world } from './world';

interface Props {
  /** Says what the map shows; read by screen readers, which have the table for the figures. */
  label: string;
  spec: MapSpec;
  drawing?: Ref<Drawing>;
}

/** From which zoom on borders are drawn finely. */
const near = 3;
const none: ReadonlySet<string> = new Set();

/** Draws countries, cities and circles. It moves by mouse, fingers, keys and buttons. */
export default function WorldMap({ label, spec, drawing }: Props) {
  const { t } = useTranslation();
  const place = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  const [moved, setMoved] = useState<{ from: string; view: MapView }>();
  const [hover, setHover] = useState<{ x: number; y: number }>();
  const scheme = useScheme();
  const coarse = useMemo(() => (typeof Path2D === 'undefined' ? [] : landsOf(world())), []);

  useLayoutEffect(() => {
    if (place.current === null) return;
    const measure = ({ clientWidth: width, clientHeight: height }: Element) => setSize((was) => (was.width === width && was.height === height ? was : { width, height }));
    measure(place.current);
    const observer = new ResizeObserver(([entry]) => entry !== undefined && measure(entry.target));
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);

  // Where it begins; moving it holds until it is to begin elsewhere.
  const from = JSON.stringify(spec.focus ?? '');
  const begin = useMemo(() => beginning(spec.focus, coarse, size), [spec.focus, coarse, size]);
  const view = moved?.from === from ? moved.view : begin;
  const move = (next: MapView) => {
    setHover(undefined);
    setMoved({ from, view: next });
  };
  const lands = useFine(view.zoom >= near) ?? coarse;
  const under = hover === undefined ? undefined : foundAt(hover, lands, view, size, spec);

  // Before the browser goes on: it may be about to print.
  useLayoutEffect(() => {
    const pen = canvas.current?.getContext('2d');
    if (canvas.current === null || pen == null || size.width === 0) return;
    const scale = window.devicePixelRatio;
    canvas.current.width = Math.round(size.width * scale);
    canvas.current.height = Math.round(size.height * scale);
    pen.scale(scale, scale);
    drawMap(pen, { lands, view, size, spec, palette: paletteOf(), pointed: under?.code });
  }, [lands, view, size, spec, scheme, under?.code]);

  useImperativeHandle(drawing, () => ({ picture: (heading) => picture(place.current, heading, [], paletteOf()) }));

  const moves = useMapMoves({
    place, size, view, onMove: move, onHover: setHover,
    onPoint: (x, y) => {
      if (spec.onPoint !== undefined) {
        const { lat, lng } = pointAt(view, size, x, y);
        spec.onPoint(lat, lng);
        return;
      }
      const row = spec.rows.findIndex((r) => r.code === landAt(lands, view, size, x, y));
      if (row >= 0) spec.onPick?.(row);
    },
  });
  const press = (key: string) => () => move(keyed(key, view, size) ?? view);
  const cursor = spec.onPoint !== undefined ? 'crosshair' : under !== undefined && spec.onPick !== undefined ? 'pointer' : 'grab';
  return (
    // It takes keys as a whole: the arrows move it.
    <div ref={place} role="group" aria-label={t('map.keys', { what: label })} tabIndex={0} className="drawing world-map" data-cursor={cursor} data-near={view.zoom > 1 || undefined} {...moves}>
      <canvas ref={canvas} role="img" aria-label={label} />
      {under !== undefined && hover !== undefined && <TipBox tip={under.tip} at={hover.x} width={size.width} />}
      <div className="map-buttons no-print" onPointerDown={(e) => e.stopPropagation()} onPointerUp={(e) => e.stopPropagation()}>
        {([['+', 'map.in', PlusIcon], ['-', 'map.out', MinusIcon], ['0', 'map.whole', GlobeIcon]] as const).map(([key, name, Icon]) => (
          <Tooltip key={key} label={t(name)} withArrow position="left">
            <ActionIcon variant="default" size={30} aria-label={t(name)} onClick={press(key)}>
              <Icon size={18} />
            </ActionIcon>
          </Tooltip>
        ))}
      </div>
    </div>
  );
}

function beginning(focus: MapSpec['focus'], lands: readonly Land[], size: Size): MapView {
  if (focus === undefined || size.width === 0) return whole;
  if (typeof focus !== 'string') return fitted(boxOfCircle(focus), size);
  const land = lands.find(({ code }) => code === focus);
  const box = land && boxOf(land.shape);
  return box === undefined ? whole : fitted(box, size);
}

let fine: Land[] | undefined;

/** The fine borders once they are here; they are loaded when they are wanted first. */
function useFine(wanted: boolean): readonly Land[] | undefined {
  const [, came] = useState(false);
  useEffect(() => {
    if (!wanted || fine !== undefined || typeof Path2D === 'undefined') return;
    let here = true;
    void patiently(() => import('./worldFine')).then(
      ({ worldFine }) => {
        fine ??= landsOf(worldFine());
        if (here) came(true);
      },
      () => undefined, // the coarse ones do
    );
    return () => {
      here = false;
    };
  }, [wanted]);
  return wanted ? fine : undefined;
}

/** The code of the country at a place on the map. */
function landAt(lands: readonly Land[], view: MapView, size: Size, x: number, y: number): string | undefined {
  const pen = document.createElement('canvas').getContext('2d');
  if (pen === null) return undefined;
  const scale = scaleOf(size, view.zoom);
  const [right, down] = [view.lng * squeeze + (x - size.width / 2) / scale, -view.lat + (y - size.height / 2) / scale];
  return lands.find(({ path }) => pen.isPointInPath(path, right, down))?.code;
}

/** What lies at a place on the map: a city, else a country that has a value. */
function foundAt({ x, y }: { x: number; y: number }, lands: readonly Land[], view: MapView, size: Size, spec: MapSpec): { code?: string; tip: Tip } | undefined {
  const points = spec.points ?? [];
  const most = Math.max(1, ...points.map((p) => p.value));
  const city = points.findLast((p) => {
    const [px, py] = placed(view, size, p.lng, p.lat);
    return Math.hypot(px - x, py - y) <= radiusOf(p.value, most) + 2;
  });
  if (city !== undefined) return { tip: { title: city.name, rows: [{ name: spec.name, value: spec.format(city.value) }] } };
  const code = landAt(lands, view, size, x, y);
  const row = spec.rows.findIndex((r) => r.code === code);
  if (code === undefined || row < 0) return undefined;
  const tip = tipOf(spec, [{ dataIndex: row }], paletteOf(), none);
  return tip && { code, tip };
}
