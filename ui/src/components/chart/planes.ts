import { HeatmapChart } from 'echarts/charts';
import { VisualMapComponent } from 'echarts/components';

/** What ECharts needs to colour cells by a scale. */
export const planes = [HeatmapChart, VisualMapComponent];
