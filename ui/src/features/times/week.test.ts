import { expect, it } from 'vitest';
import { weekOf } from './week';

const sundayFirst = [0, 1, 2, 3, 4, 5, 6].map((d) => [d * 100, d * 100 + 1]);

it('begins on Sunday in English and on Monday in German', () => {
  const [en, de] = [weekOf(sundayFirst, 'en'), weekOf(sundayFirst, 'de')];
  expect([en.days[0], en.values[0]?.[1], en.days[6]]).toEqual(['Sunday', 1, 'Saturday']);
  expect([de.days[0], de.values[0]?.[1], de.days[6], de.values[6]?.[0]]).toEqual(['Montag', 101, 'Sonntag', 0]);
});

it('has all hours, empty where nothing is', () => {
  const { hours, values } = weekOf(sundayFirst, 'en');
  expect(hours.length).toBe(24);
  expect(hours[13]?.label.replace('\u202f', ' ')).toBe('1 PM');
  expect(values[1]?.[23]).toBe(0);
});
