import { Problem, unprocessable } from '../../platform/problem/index.ts';

export const longestName = 100;

/** The name as it is kept. @throws Problem `unprocessable` where nothing or too much is left of it. */
export function checkName(typed: string): string {
  const name = typed.replaceAll(/\s+/g, ' ').trim();
  const isUsable = name !== '' && name.length <= longestName && !name.includes('\0');
  if (isUsable) return name;
  const message = `Enter a name of at most ${longestName} characters`;
  throw new Problem(unprocessable, 'See `errors` for what to change.', {
    errors: [{ pointer: '/name', message }],
  });
}
