import i18next from 'i18next';
import { initReactI18next, useTranslation } from 'react-i18next';
import de from './de.json';
import en from './en.json';
import { formats, type Format } from '../lib/format';

export const languages = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof languages;

const storageKey = 'quipu-language';

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof en };
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

/** Starts i18next; texts are part of the bundle, so nothing is loaded. */
export async function start(lang = preferred(localStorage.getItem(storageKey), navigator.languages)): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: lang,
    fallbackLng: 'en',
    resources: { en: { translation: en }, de: { translation: de } },
    interpolation: { escapeValue: false }, // React escapes
  });
  document.documentElement.lang = lang;
}

/** Switches the language and remembers it in this browser. */
export async function speak(lang: Language): Promise<void> {
  localStorage.setItem(storageKey, lang);
  document.documentElement.lang = lang;
  await i18next.changeLanguage(lang);
}

/** The formats of the present language. */
export function useFormat(): Format {
  const { i18n } = useTranslation();
  return formats(i18n.language);
}
