import type { Caller } from '../accounts/index.ts';
import type { ServiceForReferral } from '../library/index.ts';
import type { Trx } from '../platform/database/index.ts';
import { compact } from '../platform/html/index.ts';
import type { Platform } from '../platform/platform.ts';
import { type FieldError, Problem } from '../platform/problem/index.ts';
import { rerouteErrors } from './check-reroute.ts';
import { type Known, practiceCodeOf } from './look-up.ts';
import type { DraftInput, NewReferral } from './new-referral-schema.ts';
import { patientErrors, ungrouped } from './patient.ts';
import { cannotRefer } from './problems.ts';
import type { Draft, DraftContent, Referral, ReferralContent } from './referral.ts';

/** What a referral takes from the library, the service and, where one is named, the practice; and what it says. */
type Taken = 'service_id' | 'service' | 'gp_practice' | 'content';
export type Checked = Pick<Referral, Taken>;
export type CheckedDraft = Pick<Draft, Taken>;

/**
 * Looks at everything about a new referral that its schema cannot see.
 * @throws Problem `cannot-refer`, with a pointer and a sentence for each thing that is wrong.
 */
export async function checkNewReferral(
  deps: Platform,
  trx: Trx,
  known: Known,
  caller: Caller,
  input: NewReferral,
  now: Date,
): Promise<Checked> {
  const service = known.services.get(input.service_id);
  const { errors, practice } = await checkWhatIsThere(deps, trx, known, caller, input, now);
  errors.unshift(...serviceErrors(known, service));
  if (!input.consent.referral) {
    errors.push({
      pointer: '/consent/referral',
      message: 'must be true: without the person’s consent there is no referral',
    });
  }
  if (errors.length > 0 || !service) throw refusal('Nothing was sent.', errors);
  const { consent, ...rest } = contentOf(caller, input);
  const content = {
    ...rest,
    consent: { recorded_by: caller.name, recorded_at: now.toISOString(), ...consent, referral: true },
  } as ReferralContent;
  return {
    service_id: input.service_id,
    service: {
      name: service.name,
      organization_id: service.organization?.id ?? null,
      organization_name: service.organization?.name ?? null,
    },
    gp_practice: practice,
    content,
  };
}

/** Looks at what there is of a draft: what is named has to exist, and may still turn out not to be allowed. */
export async function checkDraft(
  deps: Platform,
  trx: Trx,
  known: Known,
  caller: Caller,
  input: DraftInput,
  now: Date,
): Promise<CheckedDraft> {
  const id = input.service_id;
  const service = id === undefined ? undefined : known.services.get(id);
  const { errors, practice } = await checkWhatIsThere(deps, trx, known, caller, input, now);
  if (id !== undefined && !service) errors.unshift(noSuchService);
  if (errors.length > 0) throw refusal('Nothing was stored.', errors);
  return {
    service_id: id ?? null,
    // Its organisation is written down when the draft is sent: until then it is not theirs to see.
    service: service
      ? { name: service.name, organization_id: null, organization_name: service.organization?.name ?? null }
      : null,
    gp_practice: practice,
    content: contentOf(caller, input),
  };
}

function refusal(what: string, errors: FieldError[]): Problem {
  return new Problem(cannotRefer, `${what} See \`errors\` for what to change.`, { errors });
}

async function checkWhatIsThere(
  deps: Platform,
  trx: Trx,
  known: Known,
  caller: Caller,
  input: DraftInput,
  now: Date,
): Promise<{ errors: FieldError[]; practice: Referral['gp_practice'] }> {
  const errors: FieldError[] = [];
  const practice = checkPractice(known, practiceCodeOf(input), errors);
  errors.push(...patientErrors(ungrouped(input.patient ?? {}), deps.settings.mode, now));
  const recordedAt = input.consent?.recorded_at;
  if (recordedAt !== undefined && Date.parse(recordedAt) > now.getTime() + 60_000) {
    errors.push({ pointer: '/consent/recorded_at', message: 'must not be in the future' });
  }
  if (input.reroutes !== undefined) errors.push(...(await rerouteErrors(trx, caller, input.reroutes)));
  return { errors, practice };
}

const noSuchService = { pointer: '/service_id', message: 'is not a service in this library' };

function serviceErrors(known: Known, service: ServiceForReferral | undefined): FieldError[] {
  if (!service) return [noSuchService];
  const refuse = (message: string) => [{ pointer: '/service_id', message }];
  if (service.status !== 'active') return refuse('is a service that is not active at present');
  if (!service.accepts) return refuse('is a service that does not take referrals through this site');
  if (service.channels.length === 0) return refuse('is a service that has no way to receive referrals yet');
  if (known.unanswered.has(service.id))
    return refuse(
      'is a service that has no way to receive referrals yet: nobody who runs it has an account here, and no other way leads to it',
    );
  return [];
}

/** A moment may come with the offset of its place, and is kept and answered as all others. */
function inUtc<T extends { recorded_at?: string | undefined }>(consent: T): T {
  const { recorded_at } = consent;
  return recorded_at === undefined
    ? consent
    : { ...consent, recorded_at: new Date(recorded_at).toISOString() };
}

function checkPractice(
  { practices }: Known,
  code: string | undefined,
  errors: FieldError[],
): Referral['gp_practice'] {
  if (code === undefined) return null;
  const practice = practices.get(code);
  if (practice) return { ods_code: practice.odsCode, name: practice.name };
  errors.push({
    pointer: '/gp_practice/ods_code',
    message: 'is not the code of a practice that this site knows',
  });
  return null;
}

function contentOf(caller: Caller, input: DraftInput): DraftContent {
  const { reasons, what_matters, safety_notes, support_offered } = input;
  const { organisation } = caller;
  const onBehalfOf = input.referrer?.on_behalf_of;
  const referrer = {
    name: caller.name,
    role: 'referrer',
    organisation: organisation?.name ?? null,
    ods_code: organisation?.odsCode ?? null,
    ...(onBehalfOf !== undefined && { on_behalf_of: onBehalfOf }),
  };
  const patient = input.patient && ungrouped(input.patient);
  const consent = input.consent && inUtc(input.consent);
  const written = { patient, reasons, what_matters, safety_notes, support_offered, consent };
  return { referrer, ...(compact(written) as DraftContent | undefined) };
}
