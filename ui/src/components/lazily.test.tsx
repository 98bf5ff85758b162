// @vitest-environment jsdom
import { act, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { lazily } from './lazily';

const Page = ({ name }: { name: string }) => <p>{`page ${name}`}</p>;
const options = { meanwhile: () => <p>wait</p>, instead: () => <p>unloaded</p> };

it('draws at once what was fetched before', async () => {
  let loads = 0;
  const Part = lazily(() => {
    loads++;
    return Promise.resolve(Page);
  }, options);
  await Part.fetch();
  render(<Part name="a" />);
  expect(screen.queryByText('wait')).toBeNull();
  screen.getByText('page a');
  render(<Part name="b" />);
  screen.getByText('page b');
  expect(loads).toBe(1);
});

it('draws something else meanwhile, and the component when it comes', async () => {
  let come: (page: typeof Page) => void = () => undefined;
  const Part = lazily(() => new Promise<typeof Page>((resolve) => (come = resolve)), options);
  render(<Part name="a" />);
  screen.getByText('wait');
  come(Page);
  await screen.findByText('page a');
  expect(screen.queryByText('wait')).toBeNull();
});

it('draws something else where the component cannot be loaded', async () => {
  const Part = lazily<object>(() => Promise.reject(new Error('away')), options);
  vi.useFakeTimers();
  render(<Part />);
  await act(() => vi.advanceTimersByTimeAsync(10_000)); // it is tried again after pauses
  vi.useRealTimers();
  screen.getByText('unloaded');
});
