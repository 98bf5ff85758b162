import { lazy, type ComponentType, type FunctionComponent, type LazyExoticComponent } from 'react';
import { Unloaded } from './States';
import { laterTexts } from '../i18n';
import { patiently } from '../lib/patiently';

/**
 * A component that is loaded when it is drawn first. One that cannot be loaded, since the server is away or has another
 * version by now, is replaced by a way to reload the page, or by what is given.
 */
export function lazily<P extends object>(load: () => Promise<ComponentType<P>>, instead: FunctionComponent = Unloaded): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => ({ default: await patiently(load).catch((): ComponentType<P> => instead) }));
}

/** As lazily, for what the first page does without: it waits for its texts, too. */
export function later<P extends object>(load: () => Promise<ComponentType<P>>, instead?: FunctionComponent): LazyExoticComponent<ComponentType<P>> {
  return lazily(async () => (await Promise.all([load(), laterTexts()]))[0], instead);
}
