import '@mantine/core/styles.css';
import './app.css';
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { readFirst } from './access/first';
import { ApiError, readTogether, unanswered } from './api/client';
import { Theme } from './components/Theme';
import { laterTexts } from './features';
import { start } from './i18n';
import { base } from './lib/base';
import { fetchPage, router } from './router';

/** The nonce that the server gave this page; Mantine's style elements need it. */
function nonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}

function signInAgain(): void {
  const here = window.location.pathname.slice(base.length) + window.location.search;
  window.location.assign(`${base}/login?${new URLSearchParams({ next: here }).toString()}`);
}

/** How long the frame of the page waits for the page, in ms. */
const patience = 150;

const queries = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      if (error instanceof ApiError && error.signedOut) signInAgain();
    },
  }),
  defaultOptions: {
    queries: {
      // What the server refused it refuses again. While it does not answer, queries wait (reach.ts) and go on when it does.
      retry: (count, error) => (error instanceof ApiError && error.status === unanswered ? count < 20 : count < 2 && !(error instanceof ApiError && error.status < 500)),
    },
    // What a person wants to be done now is not done later behind their back.
    mutations: { networkMode: 'always' },
  },
});

const place = document.getElementById('root');
if (place === null) throw new Error('the page lacks its root');
// What keeps the page still behind a dialog writes a style element of its own.
setNonce(nonce());
readTogether();
readFirst(queries);
const texts = start(laterTexts);
// The page comes with the texts, nearly always; then it is drawn at once.
const page = Promise.race([fetchPage(), new Promise((resolve) => setTimeout(resolve, patience))]);
await Promise.all([texts, page]);
createRoot(place).render(
  <StrictMode>
    <Theme nonce={nonce}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </Theme>
  </StrictMode>,
);
