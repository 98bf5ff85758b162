import { expect, it, vi } from 'vitest';
import { patiently } from './patiently';

const rested = () => Promise.resolve();

it('tries again until a part is loaded', async () => {
  const load = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new TypeError('no')).mockRejectedValueOnce(new TypeError('no')).mockResolvedValue('part');
  expect(await patiently(load, rested)).toBe('part');
  expect(load).toHaveBeenCalledTimes(3);
});

it('gives up after some tries with the last reason', async () => {
  const load = vi.fn(() => Promise.reject(new TypeError('gone')));
  await expect(patiently(load, rested)).rejects.toThrow('gone');
  expect(load).toHaveBeenCalledTimes(4);
});
