import { type Role, roles } from '../accounts/index.ts';
import { type Input, UsageError } from './command.ts';

/** The roles that `--role` names: it may come more than once, or have several by commas. @throws UsageError */
export function readRoles({ values }: Input): Role[] {
  const given = [values.role ?? []].flat().flatMap((each) => String(each).split(','));
  const chosen = roles.filter((role) => given.some((each) => each.trim() === role));
  const unknown = given.some((each) => !chosen.some((role) => role === each.trim()));
  if (unknown || chosen.length === 0)
    throw new UsageError('--role must be operator, referrer or provider, or several of them by commas');
  return chosen;
}
