import { hash } from 'node:crypto';
import {
  compactPostcode,
  coversPostcode,
  type Eligibility,
  findAreaCoverage,
  findServiceDocuments,
  locate,
  readPostcode,
  readServedPostcodes,
} from '../../../library/index.ts';
import { localTime } from '../../../platform/clock/index.ts';
import { type Db, inTransaction, type Trx } from '../../../platform/database/index.ts';
import { type FieldError, Problem } from '../../../platform/problem/index.ts';
import { doesNotFit, fitAdvice, referAllTheSame, tooYoung } from '../problems.ts';
import type { Patient } from '../referral.ts';
import { ageInMonths } from './age.ts';

type FitInput = {
  service_id: string;
  patient: Pick<Patient, 'birth_date' | 'address'>;
  fit_override?: { reason: string; misfits?: readonly string[] } | undefined;
};

/**
 * Refuses a person whom the service says that it does not take, unless the referrer says why all the same. A service without
 * ages refuses nobody because of them. An area that is described only in words counts only where the page asks for it (`checksAreaText`).
 * A reason that was given for something else, such as another postcode, does not count.
 * @returns the reason to keep with the referral
 * @throws Problem `does-not-fit`, with the rule and the service's own telephone number.
 */
export async function requireFit(
  trx: Trx,
  eligibility: Eligibility,
  { service_id, patient, fit_override: override }: FitQuestion & Pick<FitInput, 'fit_override'>,
  at: Date,
  { checksAreaText = false }: { checksAreaText?: boolean | undefined } = {},
): Promise<{ reason: string } | undefined> {
  const reasonToKeep = override && { reason: override.reason };
  if (override && !override.misfits) return reasonToKeep;
  const misfitsWithReason = override?.misfits ?? [];
  const certainErrors = await misfitErrors(trx, eligibility, { service_id, patient }, at);
  // A reason that a page asked for is kept, also where a client system sends the draft.
  const readsAreaText = checksAreaText || misfitsWithReason.length > 0;
  const describedErrors = readsAreaText
    ? await describedAreaErrors(trx, eligibility, { service_id, patient })
    : [];
  const errors = [...certainErrors, ...describedErrors];
  const unanswered = (checksAreaText ? errors : certainErrors).filter(
    (error) => !misfitsWithReason.includes(misfitId({ service_id, patient }, error)),
  );
  if (unanswered.length > 0) throw await misfitProblem(trx, { service_id, patient }, errors, referAllTheSame);
  return errors.length > 0 ? reasonToKeep : undefined;
}

/** Why a page would refuse the person, as far as the form is filled in; undefined if it would not. */
export function findMisfit(
  { db }: { db: Db },
  eligibility: Eligibility,
  input: FitQuestion & Pick<FitInput, 'fit_override'>,
  at: Date,
): Promise<Problem | undefined> {
  return inTransaction(db, async (trx) => {
    try {
      await requireFit(trx, eligibility, input, at, { checksAreaText: true });
      return undefined;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return error;
    }
  });
}

async function misfitErrors(
  trx: Trx,
  eligibility: Eligibility,
  { service_id, patient }: FitQuestion,
  at: Date,
): Promise<FieldError[]> {
  return [
    ...(patient.birth_date === undefined
      ? []
      : ageErrors(eligibility, patient.birth_date, localTime(at).day.date)),
    ...(eligibility.hasOutlinedArea ? await areaErrors(trx, service_id, patient.address.postcode) : []),
  ];
}

/** Whether the service takes the person as they are now, so that an earlier reason to refer all the same no longer applies. */
export async function fitsNow(
  trx: Trx,
  eligibility: Eligibility,
  input: Pick<FitInput, 'service_id' | 'patient'>,
  at: Date,
): Promise<boolean> {
  const errors = await misfitErrors(trx, eligibility, input, at);
  return errors.length === 0 && (await describedAreaErrors(trx, eligibility, input)).length === 0;
}

type FitQuestion = {
  service_id: string;
  patient: { birth_date?: string | undefined; address: { postcode: string } };
};

/** The id of a misfit, which only the same one has: of the same birth date or postcode, at the same service, by the same rule. */
function misfitId({ service_id, patient }: FitQuestion, { pointer, message }: FieldError): string {
  const isAge = pointer === '/patient/birth_date';
  const value = isAge ? patient.birth_date : compactPostcode(patient.address.postcode);
  return hash('sha256', JSON.stringify([service_id, pointer, message, value]), 'base64url').slice(0, 22);
}

/**
 * Refuses a correction that moves the person out of the service's area, unless it says why the referral stays there: the service may
 * not reach them any more, and nobody who types an address sees that.
 * @throws Problem `does-not-fit`
 */
export async function requireFitAtNewPostcode(
  trx: Trx,
  { service_id, postcode, answered }: { service_id: string; postcode: string; answered: readonly string[] },
): Promise<void> {
  const errors = await areaErrors(trx, service_id, postcode);
  const patient = { address: { postcode } };
  if (errors.some((error) => !answered.includes(misfitId({ service_id, patient }, error))))
    throw await misfitProblem(trx, { service_id, patient }, errors, 'the referral stays with this service');
}

async function misfitProblem(
  trx: Trx,
  fitted: FitQuestion,
  errors: FieldError[],
  whatHappens: string,
): Promise<Problem> {
  const telephone = await findServiceTelephone(trx, fitted.service_id);
  return new Problem(doesNotFit, fitAdvice(telephone, whatHappens), {
    errors,
    extra: {
      service_telephone: telephone ?? null,
      misfits: errors.map((error) => misfitId(fitted, error)),
    },
  });
}

export function ageErrors(
  { minimumAge, maximumAge }: Pick<Eligibility, 'minimumAge' | 'maximumAge'>,
  birthDate: string,
  today: string,
): FieldError[] {
  const months = ageInMonths(birthDate, today);
  const error = (message: string) => [{ pointer: '/patient/birth_date', message }];
  if (minimumAge !== null && months < minimumAge * 12) return error(tooYoung(minimumAge));
  // Until the next birthday where the age is in whole years.
  const end = maximumAge !== null && (Number.isInteger(maximumAge) ? maximumAge + 1 : maximumAge) * 12;
  if (end !== false && months >= end)
    return error(`is outside the ages of the service: it takes people up to the age of ${maximumAge}`);
  return [];
}

/** Checked only if the place of the exact postcode is known: the middle of its district is too coarse. */
async function areaErrors(trx: Trx, serviceId: string, typed: string): Promise<FieldError[]> {
  const place = await locate(trx, typed);
  if (place?.precision !== 'postcode') return [];
  const coverage = await findAreaCoverage(trx, [serviceId], place);
  if (coverage.get(serviceId) !== false) return [];
  const message = 'is outside the area that the service serves';
  return [{ pointer: '/patient/address/postcode', message, code: 'outside-area' }];
}

/** Whether nobody has checked the area of the service: it has an outline, and this site does not know where the postcode is. */
export async function isAreaUnchecked(
  db: Db,
  { hasOutlinedArea }: Pick<Eligibility, 'hasOutlinedArea'>,
  postcode: string,
): Promise<boolean> {
  return hasOutlinedArea && (await locate(db, postcode))?.precision !== 'postcode';
}

/** Judged by the postcode itself, which this site need not know. Where an area has an outline, that says more. */
async function describedAreaErrors(
  trx: Trx,
  { hasOutlinedArea }: Pick<Eligibility, 'hasOutlinedArea'>,
  { service_id, patient }: FitQuestion,
): Promise<FieldError[]> {
  const postcode = readPostcode(patient.address.postcode);
  if (hasOutlinedArea || !postcode) return [];
  const service = (await findServiceDocuments(trx, [service_id])).get(service_id);
  const served = service && readServedPostcodes(service);
  if (!served || coversPostcode(served, postcode) !== false) return [];
  const message = 'is outside the postcodes that the service covers';
  return [{ pointer: '/patient/address/postcode', message, code: 'outside-postcodes' }];
}

/** The first telephone number of the service, as the library has it. */
export async function findServiceTelephone(trx: Trx, serviceId: string): Promise<string | undefined> {
  const service = (await findServiceDocuments(trx, [serviceId])).get(serviceId);
  const [first] = (service?.phones as { number?: string }[] | undefined) ?? [];
  return first?.number;
}
