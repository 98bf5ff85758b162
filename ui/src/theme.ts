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

export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 6 },
  autoContrast: true,
  respectReducedMotion: true,
  colors: { indigo, dark },
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, monospace',
  headings: { fontWeight: '650' },
});

/** Colours of our own, and Mantine's quiet text made dark enough to read. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#f6f7fb',
    '--mantine-color-dimmed': '#555b70',
    '--quipu-card': '#ffffff',
    '--quipu-line': '#dfe2ec',
    '--quipu-up': '#12713f',
    '--quipu-down': '#b3261e',
    '--quipu-series': '#3b4cca',
    '--quipu-code': '#f1f3f9',
  },
  dark: {
    '--mantine-color-body': '#12141c',
    '--mantine-color-text': '#e8eaf3',
    '--mantine-color-dimmed': '#a6acc2',
    '--quipu-card': '#1b1e29',
    '--quipu-line': '#2e3243',
    '--quipu-up': '#6fd39c',
    '--quipu-down': '#ffb4ab',
    '--quipu-series': '#9aa7ff',
    '--quipu-code': '#14161f',
  },
});
