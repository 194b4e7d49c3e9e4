import type { Caller } from '../../accounts/index.ts';
import type { Author } from '../history/change.ts';
import type { EditDeps } from './deps.ts';

/** The library may be everybody's to read, so the organisation stands for the person; the account is kept beside it. */
export function authorOf({ settings }: EditDeps, caller: Caller, at: Date): Author {
  return { at, name: caller.organisation?.name ?? settings.siteName, accountId: caller.accountId };
}
