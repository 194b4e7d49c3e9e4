import type { FieldError } from '../../platform/problem/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import { momentErrors } from '../model/due/past-moment.ts';
import { partsWithCrisis } from '../model/person/danger/risk.ts';
import { type Draft, isSent, openStatuses, type Referral } from '../model/referral.ts';

const maxDaysSinceTold = 7;

/**
 * Why an operator has to tell the service before a referral is restricted, because the service cannot read then who is waiting. Empty for a
 * draft, for a referral that has ended, and where nobody is in danger.
 */
export function whyTellServiceFirst(
  { crisisPhrases }: Pick<Settings, 'crisisPhrases'>,
  referral: Referral | Draft,
): string[] {
  if (!isSent(referral) || !openStatuses.includes(referral.status)) return [];
  const { urgency, content } = referral;
  const hasRisk = content.risk === 'yes' || content.risk_acted_on !== undefined;
  return [
    ...(urgency === 'urgent' ? ['It is urgent'] : []),
    ...(hasRisk ? ['It says that somebody is at risk of serious harm'] : []),
    ...(partsWithCrisis(content, crisisPhrases).length > 0 ? ['It has words of a crisis'] : []),
  ];
}

/** The errors in the time at which somebody was told. */
export function errorsInWhenTold(when: string, at: Date, pointer: string): FieldError[] {
  const rule = { pointer, moment: when, maxDays: maxDaysSinceTold };
  return momentErrors({ ...rule, inWords: `${maxDaysSinceTold} days` }, undefined, at);
}
