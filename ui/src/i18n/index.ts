import i18next from 'i18next';
import { initReactI18next, useTranslation } from 'react-i18next';
import type pages from './en.json';
import { formats, type Format } from '../lib/format';
import { patiently } from '../lib/patiently';
import { remembered } from '../lib/remembered';

export const languages = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof languages;

const storageKey = 'quipu-language';

/** Texts in each language, to be loaded. */
export type Texts = Readonly<Record<Language, () => Promise<{ default: readonly object[] }>>>;

/** The language that the person chose, else the first of the browser's that we speak. */
export function preferred(stored: string | null, wanted: readonly string[]): Language {
  for (const tag of [stored ?? '', ...wanted]) {
    const base = tag.toLowerCase().split('-')[0];
    if (base === 'en' || base === 'de') return base;
  }
  return 'en';
}

/**
 * The locale of dates, clocks and numbers: that of the reader, whatever language the texts are in. A reader who chose another
 * language than the browser's keeps the region: German readers of English texts have English names of months, day first.
 */
export function localeOf(lang: string, wanted: readonly string[]): string {
  const reader = Intl.DateTimeFormat.supportedLocalesOf([...wanted].filter(wellFormed))[0];
  if (reader === undefined) return lang;
  const { language, region } = new Intl.Locale(reader);
  if (language === lang || !(language in languages) || region === undefined) return language in languages && language !== lang ? lang : reader;
  const both = `${lang}-${region}`;
  return new Intl.DateTimeFormat(both).resolvedOptions().locale === both ? both : lang;
}

function wellFormed(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

const days = [0, 1, 2, 3, 4, 5, 6] as const;

/** The day with which weeks begin in a locale: 0 is Sunday. */
export function firstDayOf(locale: string): (typeof days)[number] {
  const known = new Intl.Locale(locale) as Intl.Locale & { getWeekInfo?: () => { firstDay: number } };
  const day = known.getWeekInfo?.().firstDay ?? (known.maximize().region === 'US' ? 7 : 1);
  return days[day % days.length] ?? 0;
}

/** The texts that the first page needs; only those of the language spoken are loaded. */
async function firstTexts(lang: Language): Promise<typeof pages> {
  return (await patiently(() => (lang === 'de' ? import('./de.json') : import('./en.json')))).default;
}

let later: Texts | undefined;
let spoken: Language = 'en';
/** Done when texts can be added. */
let started: Promise<unknown> = Promise.resolve();
const whole = new Set<string>();

/** Adds the texts that the first page does without: those of shared parts and of features. */
export async function laterTexts(wanted?: Language): Promise<void> {
  const lang = wanted ?? spoken;
  if (later === undefined || whole.has(lang)) return;
  const [texts] = await Promise.all([patiently(later[lang]), started]);
  for (const part of texts.default) i18next.addResourceBundle(lang, 'translation', part, true);
  whole.add(lang);
}

/** Starts i18next in a language; rest are the texts that the first page does without. */
export async function start(rest: Texts, lang = preferred(localStorage.getItem(storageKey), navigator.languages)): Promise<void> {
  later = rest;
  spoken = lang;
  started = init(lang);
  await started;
  mark(lang);
}

async function init(lang: Language): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: lang,
    fallbackLng: false,
    resources: { [lang]: { translation: await firstTexts(lang) } },
    interpolation: { escapeValue: false }, // React escapes
  });
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
  i18next.addResourceBundle(lang, 'translation', await firstTexts(lang), true);
  await laterTexts(lang);
  spoken = lang;
  mark(lang, i18next.language);
  await i18next.changeLanguage(lang);
}

/** A name as it stands inside a sentence: English writes common nouns small, German does not. */
export function inside(name: string, lang: string): string {
  const common = lang === 'en' && !/^.?[A-Z]/.test(name.slice(1));
  return common ? name.charAt(0).toLowerCase() + name.slice(1) : name;
}

const localeIn = remembered((lang) => localeOf(lang, navigator.languages));

/** The locale of the reader's dates, clocks and numbers. */
export function useLocale(): string {
  const { i18n } = useTranslation();
  return localeIn(i18n.language);
}

/** The formats of the reader's locale. */
export function useFormat(): Format {
  return formats(useLocale());
}
