import { HeatmapChart, MapChart } from 'echarts/charts';
import { VisualMapComponent } from 'echarts/components';

/** What ECharts needs to colour cells and countries by a scale. */
export const planes = [HeatmapChart, MapChart, VisualMapComponent];
