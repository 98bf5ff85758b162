import { Box, Text } from '@mantine/core';
import { useEffect, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../i18n';
import type { Heat, Kind } from './api';
import { depthOf, drawReach, drawSpots, reachOf, spotsOf } from './draw';
import './heatmaps.css';

/** How wide the heat is drawn, and how high at most, in pixels; the browser stretches it over the picture. */
const drawn = 800;
const tallest = 8000;

/** The usual form of a page of which neither a picture nor a size is known: height by width. */
const usualForm = 1.6;

interface Props {
  heat: Heat;
  kind: Kind;
  /** What is to be seen, for who cannot see it. */
  label: string;
  /** Where the picture is; undefined = an empty page. */
  source: string | undefined;
  size: { width: number; height: number } | undefined;
}

/** Heat over the picture of a page. */
export function HeatPicture({ heat, kind, label, source, size }: Props): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const ref = useRef<HTMLCanvasElement>(null);
  const form = size !== undefined ? size.height / size.width : heat.width > 0 && heat.height > 0 ? heat.height / heat.width : usualForm;
  const height = Math.max(1, Math.round(Math.min(drawn * form, tallest)));
  const reach = reachOf(heat);
  useEffect(() => {
    const g = ref.current?.getContext('2d', { willReadFrequently: true });
    if (g === null || g === undefined) return;
    if (kind === 'scroll') drawReach(g, reachOf(heat));
    else drawSpots(g, spotsOf(heat, kind));
  }, [heat, kind, height]);
  return (
    <div className="heat-frame">
      <Box className="heat-page" style={{ aspectRatio: `1 / ${form}` }} tabIndex={0} role="group" aria-label={label}>
        {source !== undefined && <img src={source} alt={t('heatmaps.pictureOf')} />}
        <canvas ref={ref} width={drawn} height={height} role="img" aria-label={label} />
        {kind === 'scroll' &&
          heat.scrolls > 0 &&
          [0.75, 0.5, 0.25].map((share) => (
            <div key={share} className="heat-line" style={{ top: `${depthOf(reach, share)}%` }}>
              <Text size="xs" component="span">
                {t('heatmaps.reach', { share: format.percent(share) })}
              </Text>
            </div>
          ))}
      </Box>
    </div>
  );
}
