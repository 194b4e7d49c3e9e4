import { runInNewContext } from 'node:vm';

/** A wait in a test ends when it has hung: a busy machine takes many times as long as a quiet one. */
const hungAfterMs = 60_000;

/** Does something that nothing can wait for, such as a regular expression. @throws where it would go on for hours. */
export function mustEnd(work: () => unknown): void {
  runInNewContext('work()', { work }, { timeout: hungAfterMs });
}
