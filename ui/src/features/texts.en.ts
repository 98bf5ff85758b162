import shared from '../i18n/en.later.json';

/** The texts of shared parts and of all features that the first page does without. */
export default [shared, ...Object.values(import.meta.glob<object>('./*/en.json', { eager: true, import: 'default' }))];
