import type { ReferralStatus } from './referral.ts';

/** Who does it: staff of the receiving service, or the referrer's organisation. */
export type Side = 'provider' | 'referrer';

export type Action = 'accept' | 'reject' | 'complete';

type Rule = {
  readonly to: ReferralStatus;
  readonly from: readonly ReferralStatus[];
  readonly by: readonly Side[];
};

/** Every action there is: which states it leads from, where to, and whose it is. */
export const rules: Readonly<Record<Action, Rule>> = {
  accept: { to: 'accepted', from: ['requested'], by: ['provider'] },
  reject: { to: 'rejected', from: ['requested'], by: ['provider'] },
  complete: { to: 'completed', from: ['accepted', 'in-progress', 'on-hold'], by: ['provider'] },
};

/** What somebody on this side may do with a referral in this state. */
export function actionsFor(status: ReferralStatus, sides: readonly Side[]): Action[] {
  return (Object.keys(rules) as Action[]).filter((action) => {
    const rule = rules[action];
    return rule.from.includes(status) && rule.by.some((side) => sides.includes(side));
  });
}

/** The states that a referral can come to. */
export const reachableStatuses: readonly ReferralStatus[] = [
  'requested',
  ...Object.values(rules).map(({ to }) => to),
];
