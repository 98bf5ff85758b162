import { useEffect } from 'react';

/**
 * Gives the focus back, when a dialog or form is gone, to what had it before, or to the page's content if that is gone, too, unless something else has
 * taken it meanwhile. The dialogs of the library do so only while they stay mounted.
 */
export function useFocusBack(): void {
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      // Elements that have the focus lose it when they are removed, which is after this.
      setTimeout(() => {
        if (document.activeElement !== null && document.activeElement !== document.body) return;
        const to = before instanceof HTMLElement && before !== document.body && before.isConnected ? before : document.getElementById('main');
        to?.focus({ preventScroll: true });
      });
    };
  }, []);
}
