import type { Caller } from '../../accounts/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { forbidden, Problem } from '../../platform/problem/index.ts';
import type { Author } from '../model/change.ts';

/** The library's organisation whose services a caller answers for as a provider. */
export function ownOrganizationId({ roles, organisation }: Caller): string | null {
  return roles.includes('provider') ? (organisation?.libraryOrganizationId ?? null) : null;
}

/** Operators edit every service, providers those of their organisation. */
export function canEdit(caller: Caller, organizationId: string | null): boolean {
  if (caller.roles.includes('operator')) return true;
  return organizationId !== null && ownOrganizationId(caller) === organizationId;
}

/** Everybody may read every service, so a refusal need not hide that it is there. @throws Problem `forbidden`. */
export function requireEditor(caller: Caller, organizationId: string | null): void {
  if (canEdit(caller, organizationId)) return;
  throw new Problem(forbidden, 'This is for operators, and for providers of the organisation that runs it.');
}

/** The library may be everybody's to read, so the organisation stands for the person; the account is kept beside it. */
export function authorOf({ settings }: Platform, caller: Caller, at: Date): Author {
  return { at, name: caller.organisation?.name ?? settings.siteName, accountId: caller.accountId };
}
