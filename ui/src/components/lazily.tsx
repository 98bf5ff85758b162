import { useEffect, useState, type ComponentType, type FunctionComponent } from 'react';
import { Nothing } from './Nothing';
import { Unloaded } from './States';
import { laterTexts } from '../i18n';
import { patiently } from '../lib/patiently';

/** A component that is loaded when it is drawn first, or before, when fetch is called. */
export interface Lazy<P extends object> extends FunctionComponent<P> {
  /** Loads the component; it never fails. */
  fetch: () => Promise<void>;
}

interface Options {
  /** Drawn until the component is there; nothing unless given. */
  meanwhile?: FunctionComponent;
  /** Drawn when the component cannot be loaded, since the server is away or has another version by now; a way to reload the page unless given. */
  instead?: FunctionComponent;
}

/**
 * A component that is loaded when it is needed. It does without React.lazy and Suspense: those hold back what comes within 300 ms of
 * another fallback, and draw a fallback even where the code is there already.
 */
export function lazily<P extends object>(load: () => Promise<ComponentType<P>>, { meanwhile: Meanwhile = Nothing, instead = Unloaded }: Options = {}): Lazy<P> {
  let loaded: ComponentType<P> | undefined;
  let loading: Promise<void> | undefined;
  const fetch = () =>
    (loading ??= patiently(load)
      .catch((): ComponentType<P> => instead)
      .then((component) => {
        loaded = component;
      }));

  function Lazily(props: P) {
    const [Component, setComponent] = useState(() => loaded);
    useEffect(() => {
      if (Component !== undefined) return;
      let here = true;
      void fetch().then(() => here && setComponent(() => loaded));
      return () => {
        here = false;
      };
    }, [Component]);
    return Component === undefined ? <Meanwhile /> : <Component {...props} />;
  }
  return Object.assign(Lazily, { fetch });
}

/** As lazily, for what the first page does without: it waits for its texts, too. */
export function later<P extends object>(load: () => Promise<ComponentType<P>>, options?: Options): Lazy<P> {
  return lazily(async () => (await Promise.all([load(), laterTexts()]))[0], options);
}
