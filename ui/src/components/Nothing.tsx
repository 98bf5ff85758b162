/** Stands for what could not be loaded and is not needed. */
export function Nothing() {
  return null;
}
