import { MarkLineComponent } from 'echarts/components';

/** What ECharts needs to mark steps. */
export const marks = [MarkLineComponent];
