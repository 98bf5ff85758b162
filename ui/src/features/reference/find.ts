import type { Operation } from './model';

/** An operation that a search found, and by which parameters or codes, where its name does not say. */
export interface Hit {
  operation: Operation;
  by: string[];
}

/** The operations that have all words of a text: in their path, what they are called, their group, a parameter or a code of a fault. */
export function found(operations: readonly Operation[], text: string): Hit[] {
  const words = text.toLowerCase().split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) return operations.map((operation) => ({ operation, by: [] }));
  const hits: (Hit & { rank: number })[] = [];
  for (const operation of operations) {
    const { id, verb, path, summary, group, parameters, faults } = operation;
    const named = `${verb} ${path} ${id} ${summary} ${group}`.toLowerCase();
    const inside = [...parameters.map(({ name }) => name), ...faults];
    const by = new Set<string>();
    const isHit = words.every((word) => {
      if (named.includes(word)) return true;
      const like = inside.filter((name) => name.toLowerCase().includes(word));
      const exact = like.filter((name) => name.toLowerCase() === word);
      for (const name of exact.length > 0 ? exact : like) by.add(name);
      return like.length > 0;
    });
    if (isHit) hits.push({ operation, by: [...by].slice(0, 3), rank: path.toLowerCase() === text.trim().toLowerCase() ? 0 : by.size === 0 ? 1 : 2 });
  }
  return hits.sort((a, b) => a.rank - b.rank);
}
