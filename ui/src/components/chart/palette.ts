import { useSyncExternalStore } from 'react';
import type { Palette } from './reading';

const seriesNames = [1, 2, 3, 4, 5, 6];
const heatNames = [1, 2, 3, 4];

/** Reads the colours of the present theme from the page. */
export function paletteOf(): Palette {
  const style = getComputedStyle(document.documentElement);
  const color = (name: string) => style.getPropertyValue(name).trim();
  return {
    text: color('--mantine-color-text'),
    quiet: color('--mantine-color-dimmed'),
    line: color('--quipu-line'),
    card: color('--quipu-card'),
    heat: heatNames.map((n) => color(`--quipu-heat-${n}`)),
    series: seriesNames.map((n) => color(`--quipu-series-${n}`)),
  };
}

const schemeOfPage = 'data-mantine-color-scheme';

/**
 * The scheme that the page has now, no matter who chose it: its user, the system, or paper. It changes once the page's styles have,
 * so that colours read then are those of the new scheme.
 */
export function useScheme(): string {
  return useSyncExternalStore(watchScheme, () => document.documentElement.getAttribute(schemeOfPage) ?? 'light');
}

function watchScheme(tell: () => void): () => void {
  const observer = new MutationObserver(tell);
  observer.observe(document.documentElement, { attributeFilter: [schemeOfPage] });
  return () => observer.disconnect();
}
