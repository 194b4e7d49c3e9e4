import { dayMs } from '../../platform/durations.ts';
import type { Settings } from '../../platform/settings/index.ts';
import type { Account, Role } from './account.ts';

type FactorSettings = Pick<Settings, 'mode' | 'secondFactor' | 'noSecondFactorBecause'>;

/** Whether somebody with these roles needs a second factor, at once or within `factorGraceMs`. */
export function needsSecondFactor(settings: FactorSettings, roles: readonly Role[]): boolean {
  return requiresFactorAtOnce(settings, roles) || requiresFactorOfEverybody(settings);
}

/** A live site requires it of everybody, whatever ONWARD_SECOND_FACTOR says: every role sees patients. */
export function requiresFactorOfEverybody({ mode, noSecondFactorBecause }: FactorSettings): boolean {
  return mode === 'live' && noSecondFactorBecause === undefined;
}

function requiresFactorAtOnce({ secondFactor }: FactorSettings, roles: readonly Role[]): boolean {
  return secondFactor === 'everybody' || (secondFactor === 'operators' && roles.includes('operator'));
}

/** How long people on a live site may sign in without a second factor, to set one up. */
const factorGraceMs = 14 * dayMs;

/**
 * When somebody without a second factor can do nothing but set one up; undefined if never. The 14 days start with the
 * account or with the rule, whichever is later.
 */
export function whenFactorIsDue(
  settings: FactorSettings,
  { roles, createdAt }: Pick<Account, 'roles' | 'createdAt'>,
  requiredSince: Date | null,
): Date | undefined {
  if (requiresFactorAtOnce(settings, roles)) return createdAt;
  if (!requiresFactorOfEverybody(settings)) return undefined;
  return new Date(Math.max(createdAt.getTime(), requiredSince?.getTime() ?? 0) + factorGraceMs);
}
