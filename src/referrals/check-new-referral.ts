import type { Caller } from '../accounts/index.ts';
import { findPractice, findServiceForReferral } from '../library/index.ts';
import type { Db } from '../platform/database/index.ts';
import type { Platform } from '../platform/platform.ts';
import { type FieldError, Problem } from '../platform/problem/index.ts';
import { patientErrors } from './patient.ts';
import { cannotRefer } from './problems.ts';
import type { Patient, Referral, ReferralContent } from './referral.ts';
import type { NewReferral } from './schemas.ts';

/** What a referral takes from the library: the service and, where one is named, the practice. */
export type Checked = Pick<Referral, 'service_id' | 'service' | 'gp_practice'> & { content: ReferralContent };

/**
 * Looks at everything about a new referral that its schema cannot see.
 * @throws Problem `cannot-refer`, with a pointer and a sentence for each thing that is wrong.
 */
export async function checkNewReferral(
  deps: Platform,
  db: Db,
  caller: Caller,
  input: NewReferral,
  now: Date,
): Promise<Checked> {
  const errors: FieldError[] = [];
  const service = await checkService(db, input.service_id, errors);
  const practice = await checkPractice(db, input.gp_practice?.ods_code, errors);
  errors.push(...patientErrors(input.patient as Patient, deps.settings.mode, now));
  if (!input.consent.referral) {
    errors.push({
      pointer: '/consent/referral',
      message: 'must be true: without the person’s consent there is no referral',
    });
  }
  const { recorded_at } = input.consent;
  if (recorded_at !== undefined && Date.parse(recorded_at) > now.getTime() + 60_000) {
    errors.push({ pointer: '/consent/recorded_at', message: 'must not be in the future' });
  }
  if (errors.length > 0 || !service)
    throw new Problem(cannotRefer, 'Nothing was sent. See `errors` for what to change.', { errors });
  return {
    service_id: input.service_id,
    service,
    gp_practice: practice,
    content: contentOf(caller, input, now),
  };
}

async function checkService(
  db: Db,
  id: string,
  errors: FieldError[],
): Promise<Referral['service'] | undefined> {
  const refuse = (message: string) => void errors.push({ pointer: '/service_id', message });
  const service = await findServiceForReferral(db, id);
  if (!service) return refuse('is not a service in this library') as undefined;
  if (service.status !== 'active') refuse('is a service that is not active at present');
  else if (!service.accepts) refuse('is a service that does not take referrals through this site');
  else if (service.channels.length === 0) refuse('is a service that has no way to receive referrals yet');
  const { organization } = service;
  return {
    name: service.name,
    organization_id: organization?.id ?? null,
    organization_name: organization?.name ?? null,
  };
}

async function checkPractice(
  db: Db,
  code: string | undefined,
  errors: FieldError[],
): Promise<Referral['gp_practice']> {
  if (code === undefined) return null;
  const practice = await findPractice(db, code.toUpperCase());
  if (practice) return { ods_code: practice.odsCode, name: practice.name };
  errors.push({
    pointer: '/gp_practice/ods_code',
    message: 'is not the code of a practice that this site knows',
  });
  return null;
}

function contentOf(caller: Caller, input: NewReferral, now: Date): ReferralContent {
  const { patient, reasons, what_matters, safety_notes, support_offered, consent } = input;
  const { organisation } = caller;
  const onBehalfOf = input.referrer?.on_behalf_of;
  return {
    patient: patient as Patient,
    referrer: {
      name: caller.name,
      role: 'referrer',
      organisation: organisation?.name ?? null,
      ods_code: organisation?.odsCode ?? null,
      ...(onBehalfOf !== undefined && { on_behalf_of: onBehalfOf }),
    },
    reasons: reasons as ReferralContent['reasons'],
    ...(what_matters !== undefined && { what_matters }),
    ...(safety_notes !== undefined && { safety_notes }),
    ...(support_offered !== undefined && { support_offered }),
    consent: {
      referral: true,
      share_with_gp: consent.share_with_gp,
      recorded_by: consent.recorded_by ?? caller.name,
      recorded_at: consent.recorded_at ?? now.toISOString(),
    },
  };
}
