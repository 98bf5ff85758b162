import { Text } from '@mantine/core';
import type { Geometry, Position } from 'geojson';
import { useMemo, useRef, useState, type PointerEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { world } from '../../components/chart/world';
import { places, zoneAt } from './places';
import { zoneLabel } from './zones';

// Degrees: a little beyond 180 for the lands that lie across it, and without the ice at both ends.
const view = { left: -180, right: 191, top: 84, bottom: -57 };

interface Props {
  value: string;
  onChange: (zone: string) => void;
}

/** A map on which a click chooses a time zone. The list beside it does the same for keys. */
export default function ZoneMap({ value, onChange }: Props) {
  const { t } = useTranslation();
  const map = useRef<SVGSVGElement>(null);
  const [hover, setHover] = useState<string>();
  const list = useMemo(() => places(), []);
  const lands = useMemo(() => world().features.map((f) => ({ code: String(f.properties?.code), path: pathOf(f.geometry) })), []);
  const chosen = list.find((p) => p.zone === value);
  const pointed = list.find((p) => p.zone === hover);

  const zoneUnder = (e: PointerEvent): string | undefined => {
    const turned = map.current?.getScreenCTM()?.inverse();
    if (turned == null) return undefined;
    const { x, y } = new DOMPoint(e.clientX, e.clientY).matrixTransform(turned);
    const code = e.target instanceof SVGElement ? e.target.dataset.code : undefined;
    return zoneAt(list, -y, x, code);
  };
  return (
    <div>
      <svg
        ref={map}
        className="zone-map"
        viewBox={`${view.left} ${-view.top} ${view.right - view.left} ${view.top - view.bottom}`}
        role="img"
        aria-label={t('create.zoneMap', { zone: zoneLabel(value) })}
        onPointerMove={(e) => setHover(zoneUnder(e))}
        onPointerLeave={() => setHover(undefined)}
        onPointerUp={(e) => {
          const zone = zoneUnder(e);
          if (zone !== undefined) onChange(zone);
        }}
      >
        {lands.map(({ code, path }, i) => (
          <path key={i} d={path} data-code={code} data-on={code === chosen?.country} data-near={code === pointed?.country} />
        ))}
        {pointed !== undefined && <circle cx={pointed.longitude} cy={-pointed.latitude} r={2} />}
        {chosen !== undefined && <circle cx={chosen.longitude} cy={-chosen.latitude} r={3} data-on />}
      </svg>
      <Text size="xs" c="dimmed" ta="center" aria-hidden>
        {hover === undefined ? t('create.zoneClick') : zoneLabel(hover)}
      </Text>
    </div>
  );
}

/** The outline of a land, in degrees, south down. */
function pathOf(shape: Geometry): string {
  switch (shape.type) {
    case 'Polygon':
      return shape.coordinates.map(ring).join('');
    case 'MultiPolygon':
      return shape.coordinates.flat().map(ring).join('');
    default:
      return '';
  }
}

function ring(points: Position[]): string {
  return `M${points.map(([x = 0, y = 0]) => `${x.toFixed(1)} ${(-y).toFixed(1)}`).join('L')}Z`;
}
