import { lazy, Suspense } from 'react';
import { Box } from '@mantine/core';
import { Loading } from './States';
import type { ChartProps } from './EChart';

// ECharts is most of the dashboard's weight and comes only with the first chart.
const EChart = lazy(() => import('./EChart'));

/** The one chart of the dashboard: a figure over the steps of a period. */
export function Chart(props: ChartProps) {
  return (
    <Box h={300}>
      <Suspense fallback={<Loading />}>
        <EChart {...props} />
      </Suspense>
    </Box>
  );
}
