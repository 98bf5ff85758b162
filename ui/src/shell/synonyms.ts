/** Other words for the actions of the palette, in both languages: people search in the words that they know. By the item's id. */
export const synonyms: Readonly<Record<string, readonly string[]>> = {
  copy: ['share', 'url', 'teilen'],
  light: ['bright', 'hell'],
  dark: ['night', 'dunkel', 'nacht'],
  english: ['language', 'sprache', 'englisch', 'english'],
  german: ['language', 'sprache', 'german', 'deutsch'],
  print: ['pdf', 'paper', 'drucken'],
  shortcuts: ['keyboard', 'keys', 'help', 'hotkeys', 'tastatur', 'tasten', 'hilfe'],
  'sign-out': ['logout', 'log out', 'log off', 'exit', 'quit', 'abmelden', 'ausloggen'],
};
