import { useEffect, useEffectEvent, useState } from 'react';

/** How often a reader of the screen is told of what came, in ms. */
const every = 10_000;

/** Of a number that grows, how much it grew lately; it changes seldom enough to be read out. */
export function useAnnounced(total: number): number {
  const [told, setTold] = useState({ total: 0, news: 0 });
  const tell = useEffectEvent(() => {
    if (total !== told.total) setTold({ total, news: total - told.total });
  });
  useEffect(() => {
    const timer = setInterval(() => tell(), every);
    return () => clearInterval(timer);
  }, []);
  return told.news;
}
