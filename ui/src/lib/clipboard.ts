/** Copies a text. Says whether the browser let it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelection(text); // browsers have no clipboard for pages that came without TLS
  }
}

/** Copies as a person would: by selecting the text. */
function copySelection(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.className = 'visually-hidden';
  (document.querySelector('[role=dialog]') ?? document.body).append(field); // an open dialog keeps the focus to itself
  field.focus({ preventScroll: true });
  field.select();
  // oxlint-disable-next-line typescript/no-deprecated -- nothing else copies without TLS
  const done = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return done;
}
