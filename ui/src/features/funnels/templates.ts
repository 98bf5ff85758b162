import { viewKey } from '../../lib/segments';
import type { Level } from '../flows/api';

/** A step of a path: an event, and of views the one of a name. */
export interface PathStep {
  event: string;
  name?: string;
}

/** A path that many people take. */
export interface Template {
  steps: PathStep[];
  /** How many people at least took its rarest part. */
  users: number;
}

/** Bounds of templates. */
const most = { templates: 3, steps: 5 } as const;

/** The share of those at a step who have to go on to the next one, that it belongs to the path. */
const least = 0.1;

const keyOf = ({ event, name }: PathStep) => JSON.stringify([event, name]);

/**
 * The paths that are taken most, from the levels of a flow: from each step of the first level along the link that most people take, to steps that
 * the path does not have yet. The start itself is left out, as are paths that another one begins with.
 */
export function templatesOf(levels: readonly Level[], start: string): Template[] {
  const after = levels.filter((l) => l.level > 0).sort((a, b) => a.level - b.level);
  const out: Template[] = [];
  const stepAt = (level: number, node: number): PathStep | undefined => {
    const found = after[level]?.nodes[node];
    if (found?.event === undefined || found.other === true || found.event === start) return undefined;
    if (found.event === viewKey) return found.name === undefined || found.name === '' ? undefined : { event: found.event, name: found.name };
    return { event: found.event };
  };
  const begins = [...(after[0]?.nodes ?? []).entries()].sort(([, a], [, b]) => b.users - a.users);
  for (const [node, { users }] of begins) {
    const first = stepAt(0, node);
    if (first === undefined) continue;
    const template: Template = { steps: [first], users };
    const seen = new Set([keyOf(first)]);
    for (let level = 0, at = node; template.steps.length < most.steps; level++) {
      const next = (after[level]?.links ?? [])
        .filter((l) => l.from === at && l.users >= least * template.users)
        .sort((a, b) => b.users - a.users)
        .flatMap((link) => {
          const step = stepAt(level + 1, link.to);
          return step === undefined || seen.has(keyOf(step)) ? [] : [{ link, step }];
        })[0];
      if (next === undefined) break;
      template.steps.push(next.step);
      template.users = Math.min(template.users, next.link.users);
      seen.add(keyOf(next.step));
      at = next.link.to;
    }
    if (template.steps.length > 1) out.push(template);
  }
  const text = ({ steps }: Template) => `${steps.map(keyOf).join()},`;
  return out
    .sort((a, b) => b.users - a.users)
    .filter((one, i) => !out.some((other, j) => (other.steps.length > one.steps.length || j < i) && text(other).startsWith(text(one))))
    .slice(0, most.templates);
}
