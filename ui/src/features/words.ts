/** Other words for what the palette lists of features, by its id: page-… for pages. */
export const words: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.values(import.meta.glob<Record<string, string[]>>('./*/words.json', { eager: true, import: 'default' })).flatMap((own) => Object.entries(own)),
);
