import { PieChart } from 'echarts/charts';

/** What ECharts needs to draw parts of a whole. */
export const pies = [PieChart];
