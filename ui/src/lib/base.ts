/** The path below which the server is reached, such as /analytics; '' where it is the root of its host. */
export const base: string = typeof document === 'undefined' ? '' : (document.querySelector<HTMLMetaElement>('meta[name="quipu-base"]')?.content ?? '');

/** The address of the server as clients write it, without a slash at its end. */
export function serverAddress(): string {
  return window.location.origin + base;
}
