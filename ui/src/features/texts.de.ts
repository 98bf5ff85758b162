import shared from '../i18n/de.later.json';

/** The texts of all parts and features that the first page does without. */
export default [shared, ...Object.values(import.meta.glob<object>(['../parts/*/de.json', './*/de.json'], { eager: true, import: 'default' }))];
