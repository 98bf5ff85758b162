import { copyText } from '../lib/clipboard';
import { toasts } from './toasts';

/** Copies the address of the present view, and says so. */
export async function copyLink(done: string, failed: string): Promise<void> {
  if (await copyText(window.location.href)) toasts.show(done);
  else toasts.show(failed, 'failed');
}

/** Hands the address of the present view to what the device shares with, where fingers are used; copies it elsewhere. */
export async function shareLink(done: string, failed: string): Promise<void> {
  const card = { title: document.title, url: window.location.href };
  if (window.matchMedia('(pointer: coarse)').matches && 'canShare' in navigator && navigator.canShare(card)) {
    try {
      await navigator.share(card);
      return;
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return; // thought better of it
    }
  }
  await copyLink(done, failed);
}
