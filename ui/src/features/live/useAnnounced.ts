import { useEffect, useEffectEvent, useState } from 'react';

/** How often a screen reader announces what came, in ms. */
const every = 10_000;

/** Of a number that grows, how much it grew lately; it changes seldom enough to be read out. */
export function useAnnounced(total: number): number {
  const [announced, setAnnounced] = useState({ total: 0, news: 0 });
  const tell = useEffectEvent(() => {
    if (total !== announced.total) setAnnounced({ total, news: total - announced.total });
  });
  useEffect(() => {
    const timer = setInterval(() => tell(), every);
    return () => clearInterval(timer);
  }, []);
  return announced.news;
}
