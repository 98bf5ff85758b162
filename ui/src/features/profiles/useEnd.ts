import { useEffect, useRef, type RefObject } from 'react';

/** Calls more whenever the element comes into sight, while there is more. */
export function useEnd<E extends Element>(more: (() => void) | undefined): RefObject<E | null> {
  const element = useRef<E>(null);
  useEffect(() => {
    const end = element.current;
    if (end === null || more === undefined || typeof IntersectionObserver === 'undefined') return;
    const watcher = new IntersectionObserver((seen) => seen.some((s) => s.isIntersecting) && more(), { rootMargin: '300px' });
    watcher.observe(end);
    return () => watcher.disconnect();
  }, [more]);
  return element;
}
