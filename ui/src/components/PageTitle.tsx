import { Title, type TitleProps } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { arrival } from '../lib/arrival';

/** The heading of a page, and the title of the window. It takes the focus after a navigation. */
export function PageTitle({ children, ...props }: Omit<TitleProps, 'order'> & { children: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${children} · Quipu`;
    if (heading.current !== null) arrival.at(heading.current, children);
  }, [children]);
  return (
    <Title ref={heading} order={1} size="h2" tabIndex={-1} className="breakable page-heading" {...props}>
      {children}
    </Title>
  );
}
