import { type Caller, mailOperators } from '../../../accounts/index.ts';
import type { Trx } from '../../../platform/database/index.ts';
import { addJobs } from '../../../platform/jobs/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { forbidden, Problem, unprocessable } from '../../../platform/problem/index.ts';
import { reasonErrors } from '../../../platform/reason.ts';
import { minShownCount } from '../../../platform/small-counts.ts';
import { cleanText } from '../../../platform/visible-text.ts';
import {
  countOpenReferrals,
  saveConfidentialUntil,
  saveSensitiveSince,
  saveSensitiveUntil,
} from '../../channels/referral-marks-store.ts';

// Marks that hide who uses a service, or where it is. Its staff and operators set them. Only an operator takes one off, with a reason that
// all operators are told. Otherwise one person alone could reveal somebody in danger.

type Mark = {
  /** The field of the reason, in the API and on the page. */
  reasonField: 'sensitive_reason' | 'location_reason';
  /** What is no longer so, to follow “that” or “why”. */
  isOverInWords: (service: string) => string;
  subject: string;
  /** What follows from it, for the email to the operators. */
  consequence: string;
  saveEnd: (trx: Trx, serviceId: string, at: Date) => Promise<void>;
};

export const marks = {
  sensitive: {
    reasonField: 'sensitive_reason',
    isOverInWords: (service) => `${service} is not a sensitive service any more`,
    subject: 'A service is not marked as sensitive any more',
    consequence:
      'New referrals to it are named in lists, letters, emails and reports. Earlier ones stay hidden; only figures count them with the others.',
    saveEnd: saveSensitiveUntil,
  },
  location_confidential: {
    reasonField: 'location_reason',
    isOverInWords: (service) => `the location of ${service} is not confidential any more`,
    subject: 'The location of a service is not marked as confidential any more',
    consequence:
      'The next import or edit brings its places back. What its staff entered about the places of people who were referred before stays hidden.',
    saveEnd: saveConfidentialUntil,
  },
} as const satisfies Record<string, Mark>;

type MarkChange = { id: string; serviceName: string; at: Date };

/** @throws Problem `forbidden`, `unprocessable` without a reason */
export async function removeMark(
  trx: Trx,
  deps: Platform,
  caller: Caller,
  { mark, id, serviceName, typed, at }: MarkChange & { mark: Mark; typed: string | undefined },
): Promise<void> {
  if (!caller.roles.includes('operator'))
    throw new Problem(forbidden, `Only an operator says that ${mark.isOverInWords('the service')}.`);
  const errors = reasonErrors(typed, { pointer: `/${mark.reasonField}` });
  if (errors.length > 0)
    throw new Problem(unprocessable, `Say why ${mark.isOverInWords('the service')}.`, { errors });
  await mark.saveEnd(trx, id, at);
  const { siteName, baseUrl } = deps.settings;
  const paragraphs = [
    `${caller.name} said on ${siteName} that ${mark.isOverInWords(serviceName)}.`,
    `Why: ${cleanText(typed ?? '')}`,
    mark.consequence,
    `If this is wrong, mark it again: ${baseUrl}/services/${encodeURIComponent(id)}/referral-settings`,
  ];
  await mailOperators(trx, deps, 'site', { subject: mark.subject, paragraphs });
}

/**
 * A service is sensitive from now on. People who were referred before agreed without knowing that, so the owner of each open referral gets
 * a prompt, and all operators are told that there are some.
 */
export async function markAsSensitive(
  trx: Trx,
  deps: Platform,
  caller: Caller,
  { id, serviceName, at }: MarkChange,
): Promise<void> {
  await saveSensitiveSince(trx, id, at);
  const count = await countOpenReferrals(trx, id);
  if (count === 0) return;
  await addJobs(trx, 'update-prompts', [{}]);
  const { siteName, baseUrl } = deps.settings;
  const subject = 'A service with open referrals is marked as sensitive';
  const paragraphs = [
    `${caller.name} marked ${serviceName} as sensitive on ${siteName}. ${count < minShownCount ? `Fewer than ${minShownCount}` : count} open referrals were made before.`,
    'From now on it is a restricted service in lists, pages, letters, emails and reports. Letters that a practice already has, printed leaflets, and files and copies that somebody downloaded still name it.',
    'Those who made these referrals are asked to speak with each person again. Where nobody there can, the operators are asked.',
    `See them here:\n\n${baseUrl}/referrals?view=all&tab=waiting`,
  ];
  await mailOperators(trx, deps, 'site', { subject, paragraphs });
}
