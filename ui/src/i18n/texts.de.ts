import pages from './de.json';
import managing from './de.manage.json';

export const texts = { ...pages, ...managing };
