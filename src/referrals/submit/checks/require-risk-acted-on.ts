import { localTime } from '../../../platform/clock/index.ts';
import { describeErrors, validatorOf } from '../../../platform/http/index.ts';
import { type FieldError, Problem } from '../../../platform/problem/index.ts';
import type { Settings } from '../../../platform/settings/index.ts';
import type { ReferralDeps } from '../../model/deps.ts';
import { momentErrors } from '../../model/due/past-moment.ts';
import { nobodyToldErrors } from '../../model/person/danger/who-was-told.ts';
import { type RiskHelp, riskActedOnRequired, riskAdvice, riskNotActedOn } from '../../model/problems.ts';
import { type DraftInput, type NewReferral, riskActedOnSchema } from '../../model/schemas/new-referral.ts';

/** The same number as `paperDays` by default, but not a setting. */
const maxDaysSinceTold = 31;

/**
 * A referral is read in hours or days, and nobody in danger may wait for that. It is checked twice. `buildReferrals` checks every
 * submission. The routes, and the sending of a draft, check it before the schema: a refusal for a misspelled or missing field must not hide
 * whom to call.
 * @throws Problem `risk-not-acted-on`, also where `risk_acted_on` does not say whom and when.
 */
export function requireRiskActedOn(
  { settings }: Pick<ReferralDeps, 'settings'>,
  input: unknown,
  at: Date,
): void {
  const { status, risk } = uncheckedFieldsOf(input);
  if (risk !== 'yes' || status === 'draft') return;
  const errors = actedOnErrors(input as Partial<NewReferral>, at);
  if (errors.length === 0) return;
  const help = riskHelp(settings);
  throw new Problem(riskNotActedOn, riskAdvice(help), { errors, extra: help });
}

/** Whom to call before a referral is made. */
export function riskHelp({ safeguardingContact }: Pick<Settings, 'safeguardingContact'>): RiskHelp {
  return { emergency_number: '999', safeguarding_contact: safeguardingContact ?? null };
}

function actedOnErrors(
  { risk_acted_on: report, patient, made_at }: Partial<NewReferral>,
  at: Date,
): FieldError[] {
  const pointer = '/risk_acted_on';
  if (report === undefined || report === null) return [{ pointer, message: riskActedOnRequired }];
  const check = validatorOf(riskActedOnSchema);
  if (!check.Check(report)) return describeErrors(check.Errors(report), pointer);
  const nobody = nobodyToldErrors(report.who_was_told, `${pointer}/who_was_told`);
  if (nobody.length > 0) return nobody;
  // What else the person’s details say is not checked yet.
  const { birth_date } = uncheckedFieldsOf(patient);
  const bornOn = typeof birth_date === 'string' && isPastDay(birth_date, at) ? birth_date : undefined;
  return riskToldAtErrors({ risk_acted_on: report, made_at }, bornOn, at);
}

/**
 * The question is about a risk now, so what was done long ago does not answer it. For a referral on paper, “now” is when it was taken.
 */
export function riskToldAtErrors(
  { risk_acted_on: report, made_at }: { [Key in 'risk_acted_on' | 'made_at']?: DraftInput[Key] | undefined },
  bornOn: string | undefined,
  at: Date,
): FieldError[] {
  if (report?.when === undefined) return [];
  const takenAt = new Date(made_at ?? at);
  const rule = { pointer: '/risk_acted_on/when', moment: report.when, maxDays: maxDaysSinceTold };
  const askedAt = takenAt < at ? takenAt : at;
  const message = `must be at most ${maxDaysSinceTold} days before the referral was made: what was done so long ago does not answer a risk now. Tell somebody first`;
  return momentErrors({ ...rule, inWords: `${maxDaysSinceTold} days`, askedAt }, bornOn, at).map((error) =>
    error.code === 'too-long-ago' ? { ...error, message } : error,
  );
}

/** The fields of a body that no schema has checked yet; or no fields, if the body is not an object. */
function uncheckedFieldsOf(input: unknown): { readonly [name: string]: unknown } {
  return Object(input);
}

function isPastDay(text: string, at: Date): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && text <= localTime(at).day.date;
}
