import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';

const indigo: MantineColorsTuple = [
  '#eef0fd',
  '#dadefa',
  '#b4bcf3',
  '#8f9bec',
  '#6f7ee6',
  '#5767dd',
  '#4857d3',
  '#3b4cca',
  '#2f3da6',
  '#26327f',
];

// Mantine's greys for dark, in the tone of our surfaces.
const dark: MantineColorsTuple = [
  '#e8eaf3',
  '#c3c8da',
  '#a6acc2',
  '#7d849d',
  '#3d4258',
  '#2e3243',
  '#222634',
  '#1b1e29',
  '#161822',
  '#12141c',
];

// Red that can be read as text, on white and on the dark.
const red: MantineColorsTuple = [
  '#ffe9e7',
  '#ffd0cc',
  '#ffa39c',
  '#ff8a80',
  '#ff7a6e',
  '#e23c30',
  '#cf2e24',
  '#b3261e',
  '#94201a',
  '#761a15',
];

export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 6 },
  autoContrast: true,
  respectReducedMotion: true,
  colors: { indigo, dark, red },
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, monospace',
  headings: { fontWeight: '650' },
  components: {
    // The head of a dialog is no banner of the page. By name, so that the first page needs no dialog.
    Modal: { defaultProps: { attributes: { header: { role: 'presentation' } } } },
    Drawer: { defaultProps: { attributes: { header: { role: 'presentation' } } } },
  },
});

/** Colours of our own, and Mantine's quiet text made dark enough to read. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#f6f7fb',
    '--mantine-color-dimmed': '#555b70',
    '--mantine-color-placeholder': '#6b7186',
    '--quipu-card': '#ffffff',
    '--quipu-line': '#dfe2ec',
    '--quipu-up': '#12713f',
    '--quipu-down': '#b3261e',
    '--quipu-series': '#3b4cca',
    '--quipu-series-1': '#3b4cca',
    '--quipu-series-2': '#0f8b6d',
    '--quipu-series-3': '#c2570c',
    '--quipu-series-4': '#a3309c',
    '--quipu-series-5': '#0b7fb0',
    '--quipu-series-6': '#8a6d00',
    '--quipu-heat-1': '#eef0fb',
    '--quipu-heat-2': '#b4bcf3',
    '--quipu-heat-3': '#6f7ee6',
    '--quipu-heat-4': '#26327f',
    '--quipu-bar': '#e8ebfb',
    '--quipu-code': '#f1f3f9',
    '--quipu-was': '#fde8e6',
    '--quipu-is': '#ddf3e6',
  },
  dark: {
    '--mantine-color-body': '#12141c',
    '--mantine-color-text': '#e8eaf3',
    '--mantine-color-dimmed': '#a6acc2',
    '--mantine-color-placeholder': '#9299b0',
    '--mantine-color-error': '#ffa39c',
    '--mantine-color-anchor': '#a9b4ff',
    '--quipu-card': '#1b1e29',
    '--quipu-line': '#2e3243',
    '--quipu-up': '#6fd39c',
    '--quipu-down': '#ffb4ab',
    '--quipu-series': '#9aa7ff',
    '--quipu-series-1': '#9aa7ff',
    '--quipu-series-2': '#5fd0b0',
    '--quipu-series-3': '#ffab70',
    '--quipu-series-4': '#eb9ae3',
    '--quipu-series-5': '#6fc8f2',
    '--quipu-series-6': '#e0c65a',
    '--quipu-heat-1': '#272b3b',
    '--quipu-heat-2': '#39428a',
    '--quipu-heat-3': '#6f7ee6',
    '--quipu-heat-4': '#c9d0ff',
    '--quipu-bar': '#2a3052',
    '--quipu-code': '#14161f',
    '--quipu-was': '#4a2323',
    '--quipu-is': '#173d2b',
  },
});
