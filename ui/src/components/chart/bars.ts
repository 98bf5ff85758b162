import { BarChart } from 'echarts/charts';

/** What ECharts needs to draw columns and rows. */
export const bars = [BarChart];
