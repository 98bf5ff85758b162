import shared from '../i18n/en.later.json';

/** The texts of all parts and features that the first page does without. */
export default [shared, ...Object.values(import.meta.glob<object>(['../parts/*/en.json', './*/en.json'], { eager: true, import: 'default' }))];
