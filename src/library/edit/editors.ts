import type { Caller } from '../../accounts/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { forbidden, Problem } from '../../platform/problem/index.ts';
import type { Author } from '../model/change.ts';

/** The library's organisation whose services the caller may edit as a provider. */
export function ownOrganizationId({ roles, organisation }: Caller): string | null {
  return roles.includes('provider') ? (organisation?.libraryOrganizationId ?? null) : null;
}

/** Operators edit every service; providers edit those of their organisation. */
export function canEdit(caller: Caller, organizationId: string | null): boolean {
  if (caller.roles.includes('operator')) return true;
  return organizationId !== null && ownOrganizationId(caller) === organizationId;
}

/** Refuses others with 403 and not 404: everybody may read every service, so there is nothing to hide. @throws Problem `forbidden`. */
export function requireEditor(caller: Caller, organizationId: string | null): void {
  if (canEdit(caller, organizationId)) return;
  throw new Problem(forbidden, 'This is for operators, and for providers of the organisation that runs it.');
}

/** A public library names the organisation, not the person. The account is stored beside it but not published. */
export function authorOf({ settings }: Platform, caller: Caller, at: Date): Author {
  return { at, name: caller.organisation?.name ?? settings.siteName, accountId: caller.accountId };
}
