import { serverAddress } from '../../lib/base';

/** What the script of heat maps gets to know, by the name of the window that it is loaded in. */
export interface Asked {
  token: string;
  app_key: string;
  period: string;
  kind: string;
  device: string;
  lang: string;
  filter?: string;
}

/** The name of a window by which SDKs know that they are to load the script of heat maps. */
export function nameOf(asked: Asked, url: string): string {
  return `cly:${JSON.stringify({ purpose: 'heatmap', url, ...asked })}`;
}

/**
 * Opens a page in a window of its own. The window opens before anything is asked for, since browsers let only a click do that, and knows
 * nothing of this one.
 */
export async function openSite(url: string, asked: () => Promise<Asked>): Promise<void> {
  const site = window.open('about:blank', '_blank');
  if (site === null) throw new Error('The browser does not let a window open.');
  try {
    site.opener = null;
    site.name = nameOf(await asked(), serverAddress());
    site.location.replace(url);
  } catch (error) {
    site.close();
    throw error;
  }
}
