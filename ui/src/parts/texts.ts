import type cards from './cards/en.json';
import type metrics from './metrics/en.json';
import type saved from './saved/en.json';

/** The texts of parts that have some of their own. They come with those of features. */
export type PartTexts = typeof cards & typeof metrics & typeof saved;
