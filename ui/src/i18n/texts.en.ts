import pages from './en.json';
import managing from './en.manage.json';

export const texts = { ...pages, ...managing };
