import shared from '../i18n/de.later.json';

/** The texts of shared parts and of all features that the first page does without. */
export default [shared, ...Object.values(import.meta.glob<object>('./*/de.json', { eager: true, import: 'default' }))];
