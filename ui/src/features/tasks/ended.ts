import { isLive, type Task } from '../../parts/tasks/api';

/** The tasks that were on their way when one looked before, and are not any more. */
export function ended(before: readonly Task[], now: readonly Task[]): Task[] {
  const ran = new Set(before.filter(isLive).map((task) => task._id));
  return now.filter((task) => ran.has(task._id) && !isLive(task));
}
