import i18next from 'i18next';
import { initReactI18next, useTranslation } from 'react-i18next';
import { useMemo } from 'react';
import type en from './en.json';
import type enManage from './en.manage.json';
import { formats, type Format } from '../lib/format';

export const languages = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof languages;

const storageKey = 'quipu-language';

/** All texts: those of every page, and those of managing. */
type Catalogue = typeof en & typeof enManage;

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: Catalogue };
  }
}

/** The language that the person chose, else the first of the browser's that we speak. */
export function preferred(stored: string | null, wanted: readonly string[]): Language {
  for (const tag of [stored ?? '', ...wanted]) {
    const base = tag.toLowerCase().split('-')[0];
    if (base === 'en' || base === 'de') return base;
  }
  return 'en';
}

/** The texts of a language; only those spoken are loaded. */
async function catalogue(lang: Language): Promise<Catalogue> {
  const parts = lang === 'de' ? [import('./de.json'), import('./de.manage.json')] as const : [import('./en.json'), import('./en.manage.json')] as const;
  const [texts, managing] = await Promise.all(parts);
  return { ...texts.default, ...managing.default };
}

/** Starts i18next in a language. */
export async function start(lang = preferred(localStorage.getItem(storageKey), navigator.languages)): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: lang,
    fallbackLng: false,
    resources: { [lang]: { translation: await catalogue(lang) } },
    interpolation: { escapeValue: false }, // React escapes
  });
  mark(lang);
}

/** Tells the browser the language, and the way that it is read; a page that is marked otherwise stays so, to try a layout. */
function mark(lang: Language, before?: string): void {
  const root = document.documentElement;
  root.lang = lang;
  if (root.dir === '' || (before !== undefined && root.dir === i18next.dir(before))) root.dir = i18next.dir(lang);
}

/** Switches the language and remembers it in this browser. */
export async function speak(lang: Language): Promise<void> {
  localStorage.setItem(storageKey, lang);
  i18next.addResourceBundle(lang, 'translation', await catalogue(lang));
  mark(lang, i18next.language);
  await i18next.changeLanguage(lang);
}

/** A name as it stands inside a sentence: English writes common nouns small, German does not. */
export function inside(name: string, lang: string): string {
  const common = lang === 'en' && !/^.?[A-Z]/.test(name.slice(1));
  return common ? name.charAt(0).toLowerCase() + name.slice(1) : name;
}

/** The formats of the present language. */
export function useFormat(): Format {
  const { i18n } = useTranslation();
  return useMemo(() => formats(i18n.language), [i18n.language]);
}
