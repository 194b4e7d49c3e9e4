import { shortestPassword } from '../password-rules.ts';

/** Whether a password is long enough to let somebody in without a second factor. */
export function isEnoughAlone(password: string): boolean {
  return [...password.normalize('NFKC')].length >= shortestPassword.alone;
}
