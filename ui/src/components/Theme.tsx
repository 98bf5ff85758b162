import { DirectionProvider, MantineProvider } from '@mantine/core';
import { useEffect, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { theme, variables } from '../theme';

interface Props {
  /** The nonce of the page, which style elements need. */
  nonce: () => string;
  children: ReactNode;
}

/** Colours and the way of reading. What is printed is always light: paper is white. */
export function Theme({ nonce, children }: Props) {
  const printed = usePrinting();
  return (
    <DirectionProvider>
      <MantineProvider theme={theme} cssVariablesResolver={variables} defaultColorScheme="auto" getStyleNonce={nonce} {...(printed ? { forceColorScheme: 'light' } : {})}>
        {children}
      </MantineProvider>
    </DirectionProvider>
  );
}

/** Whether the page is being printed. It changes at once, as the browser prints what it then finds. */
function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false);
  useEffect(() => {
    const paper = window.matchMedia('print');
    const tell = () => flushSync(() => setPrinting(paper.matches));
    paper.addEventListener('change', tell);
    return () => paper.removeEventListener('change', tell);
  }, []);
  return printing;
}
