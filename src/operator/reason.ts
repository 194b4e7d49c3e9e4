import { Problem, unprocessable } from '../platform/problem/index.ts';

const longest = 500;

/** Why an operator does something, for whoever reads the audit later. @throws Problem `unprocessable`. */
export function requireReason(reason: string): string {
  const length = [...reason].length;
  if (length > 0 && length <= longest) return reason;
  const message = length === 0 ? 'Enter a reason' : `must have at most ${longest} characters`;
  throw new Problem(unprocessable, undefined, { errors: [{ pointer: '/reason', message }] });
}
