import { runInNewContext } from 'node:vm';
import { hungAfterMs } from '../app/until.ts';

/** Does something that nothing can wait for, such as a regular expression. @throws where it would go on for hours. */
export function mustEnd(work: () => unknown): void {
  runInNewContext('work()', { work }, { timeout: hungAfterMs });
}
