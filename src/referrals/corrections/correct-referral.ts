import { actorOf, type Caller, findAccount, requireCaller } from '../../accounts/index.ts';
import { compactPostcode, findPractices, findServiceForReferral, hasClosed } from '../../library/index.ts';
import { inRetriedTransaction, type Trx } from '../../platform/database/index.ts';
import { type App, problemAnswers, withToken } from '../../platform/http/index.ts';
import { type FieldError, forbidden, Problem } from '../../platform/problem/index.ts';
import { type ExpectedVersion, lockVersionForSides } from '../model/access/access.ts';
import { listReferralsWithHiddenAddress, withReferrersAddress } from '../model/access/referrers-details.ts';
import { sidesOf, writingSide } from '../model/access/sides.ts';
import { historyActorOf } from '../model/actors/authors.ts';
import { actorByLink, historyActorByLink, type LinkHolder } from '../model/actors/link-holder.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { datesWithUrgency } from '../model/due/next-date.ts';
import { contactErrors } from '../model/person/danger/safe-contact.ts';
import { fitsNow, requireFitAtNewPostcode } from '../model/person/fit.ts';
import { requireSomebodyElse } from '../model/person/identity/own-referral.ts';
import { overrideErrors } from '../model/person/override-errors.ts';
import { expectedOf, sendReferral } from '../model/presentation/http.ts';
import { loadAndPresent, type PresentedReferral } from '../model/presentation/present.ts';
import { closedPractice, noSuchPractice, nothingChangedProblem } from '../model/problems.ts';
import type { Draft, Referral } from '../model/referral.ts';
import type { ContentUpdate } from '../model/referrals-store.ts';
import {
  badBody,
  idParams,
  ifMatchHeaders,
  notYours,
  orServiceHidden,
  staleVersion,
  tags,
  theReferral,
} from '../model/schemas/route-parts.ts';
import { requireOpen } from '../model/status/usable.ts';
import {
  type Correction,
  correctableByService,
  correctedContent,
  correctionSchema,
  fieldsCallerMayNotCorrect,
} from './correction.ts';
import { listLifeChanges } from './life-changes-store.ts';
import { protectionErrors } from './protections.ts';
import { storeCorrection, withGoals } from './store-correction.ts';

/**
 * Corrects details of an open referral. The history keeps the old and the new values, and the service is told at once.
 * @throws Problem `not-found`, `forbidden` for a field that only the referrer may correct, `version-stale`, `wrong-state` if
 * the referral is not open, `unprocessable` for a practice that this site does not know, `refers-themselves`, `does-not-fit`.
 */
export async function correctReferral(
  deps: ReferralDeps,
  caller: Caller,
  { correction, ipAddress, ...expected }: ExpectedVersion & { correction: Correction; ipAddress: string },
): Promise<PresentedReferral> {
  return inRetriedTransaction(deps.db, async (trx) => {
    const referral = requireCorrectable(
      await lockVersionForSides(trx, caller, expected, ['referrer', 'provider']),
    );
    // The time is taken after the lock, so that a letter that was being sent until then counts as older than the correction.
    const at = deps.clock.now();
    const sides = sidesOf(caller, referral);
    refuseFieldsOfReferrer(fieldsCallerMayNotCorrect(correction, sides));
    await requireValidCorrection(trx, referral, correction);
    if (sides.includes('referrer')) await requirePostcodeFits(trx, caller, referral, correction);
    const corrected = await correctedParts(trx, deps, referral, { correction, at });
    await requirePatientIsNotReferrer(trx, referral, corrected);
    const changed = await storeCorrection(trx, deps, referral, corrected, {
      actor: historyActorOf(caller),
      auditActor: actorOf(caller, ipAddress),
      by: writingSide(sides)!,
      reason: correction.reason,
      at,
    });
    return loadAndPresent(trx, deps, caller, changed, at);
  });
}

/** Checks what the schema of a correction cannot. @throws Problem `unprocessable` */
async function requireValidCorrection(trx: Trx, referral: Referral, correction: Correction): Promise<void> {
  const urgency = correction.urgency ?? referral.urgency;
  const proposed = correctedContent(referral.content, correction);
  const touchesContact = correction.contact !== undefined || correction.patient?.carer !== undefined;
  const errors = [
    ...(touchesContact ? contactErrors(proposed) : []),
    ...overrideErrors(correction),
    ...protectionErrors(
      { ...referral.content, urgency: referral.urgency },
      { ...proposed, urgency },
      correction.reason,
    ),
    ...(await unreadChangeErrors(trx, referral, urgency)),
  ];
  if (errors.length > 0) throw nothingChangedProblem(errors);
}

/** The content with the correction in it, and the new due dates. An override that is no longer needed is removed. */
async function correctedParts(
  trx: Trx,
  { settings }: Pick<ReferralDeps, 'settings'>,
  referral: Referral,
  { correction, at }: { correction: Correction; at: Date },
): Promise<ContentUpdate> {
  const needsNoOverride = await fitsAtCorrectedPostcode(trx, referral, correction, at);
  const urgency = correction.urgency ?? referral.urgency;
  return {
    content: correctedContent(referral.content, {
      ...correction,
      ...(needsNoOverride && { fit_override: null }),
    }),
    gp_practice: await correctedPractice(trx, referral, correction, at),
    urgency,
    ...datesWithUrgency(settings, referral, urgency, at),
  };
}

/** The goals of a referral, in place of those that it had. */
export type NewGoals = NonNullable<Correction['goals']>;

/**
 * Sets the goals and their results on a locked referral, for somebody who answers by link. The same goals again change nothing.
 * @throws Problem `wrong-state`
 */
export async function setGoalsByLink(
  trx: Trx,
  deps: ReferralDeps,
  locked: Referral,
  { goals, at }: { goals: NewGoals; at: Date },
  holder: LinkHolder,
): Promise<void> {
  const referral = requireCorrectable(locked);
  await storeCorrection(trx, deps, referral, withGoals(referral, goals), {
    actor: historyActorByLink(holder, referral),
    auditActor: actorByLink(holder),
    by: 'provider',
    at,
  });
}

/** An unread life change may tell of a danger, so the referral stays urgent until somebody has confirmed that they read it. */
async function unreadChangeErrors(
  trx: Trx,
  referral: Referral,
  urgency: Referral['urgency'],
): Promise<FieldError[]> {
  if (referral.urgency !== 'urgent' || urgency === 'urgent') return [];
  const news = await listLifeChanges(trx, referral.id);
  if (news.every(({ confirmedAt }) => confirmedAt !== null)) return [];
  const message =
    'must stay urgent until somebody has confirmed that they read what has changed for the person: read and confirm it, or ask the other side to';
  return [{ pointer: '/urgency', message, code: 'news-unread' }];
}

/** @throws Problem `wrong-state` */
export function requireCorrectable(referral: Referral | Draft): Referral {
  return requireOpen(referral, referral.status === 'draft' ? ' Change a draft with PUT.' : '');
}

function refuseFieldsOfReferrer(fields: readonly string[]): void {
  if (fields.length === 0) return;
  const errors = fields.map((field) => ({
    pointer: `/${field}`,
    message: 'is for the referrer’s organisation to correct',
  }));
  throw new Problem(forbidden, `Staff of the service may correct ${correctableByService.join(', ')}.`, {
    errors,
  });
}

/**
 * Only for the referrer's side. Staff of the service know their area, and what they write about a person who has moved may be something that
 * the referrer's side must not read.
 * @throws Problem `does-not-fit`
 */
async function requirePostcodeFits(
  trx: Trx,
  caller: Caller,
  referral: Referral,
  { patient, fit_override }: Correction,
): Promise<void> {
  const { postcode } = (patient?.address ?? {}) as { postcode?: string };
  if (postcode === undefined || referral.service_id === null) return;
  if (fit_override && !fit_override.misfits) return;
  // If the address is hidden from this side, compare with the one that it entered.
  const isHidden = (await listReferralsWithHiddenAddress(trx, [{ caller, referral }])).has(referral.id);
  const { content } = isHidden ? withReferrersAddress(referral) : referral;
  if (compactPostcode(postcode) === compactPostcode(content.patient.address.postcode)) return;
  const answered = fit_override?.misfits ?? [];
  await requireFitAtNewPostcode(trx, { service_id: referral.service_id, postcode, answered });
}

/** Whether the person at the corrected postcode fits the service, so that the override is no longer needed. */
async function fitsAtCorrectedPostcode(
  trx: Trx,
  { service_id, content }: Referral,
  { patient, fit_override }: Correction,
  at: Date,
): Promise<boolean> {
  const address = patient?.address as Referral['content']['patient']['address'] | undefined;
  if (!address || fit_override !== undefined || !content.fit_override) return false;
  const service = await findServiceForReferral(trx, service_id);
  const corrected = { ...content.patient, address };
  return service !== undefined && (await fitsNow(trx, service, { service_id, patient: corrected }, at));
}

/**
 * A correction must not turn the patient into the referrer.
 * @throws Problem `refers-themselves`
 */
async function requirePatientIsNotReferrer(
  trx: Trx,
  before: Referral,
  { content: { patient } }: Pick<Referral, 'content'>,
): Promise<void> {
  const isSame = patient.email === before.content.patient.email;
  const referrer = isSame ? undefined : await findAccount(trx, before.referrerAccountId);
  if (referrer)
    requireSomebodyElse(
      referrer,
      { patient },
      // The name cannot be corrected, and was checked when the referral was made.
      { mayShareName: true, whatHappened: 'Nothing was changed.' },
    );
}

/** @throws Problem `unprocessable` */
async function correctedPractice(
  trx: Trx,
  { gp_practice: current }: Referral,
  { gp_practice: replacement }: Correction,
  now: Date,
): Promise<Referral['gp_practice']> {
  if (replacement === undefined) return current;
  if (replacement === null) return null;
  const code = replacement.ods_code.toUpperCase();
  const practice = (await findPractices(trx, [code])).get(code);
  const isNew = practice?.odsCode !== current?.ods_code;
  if (practice && isNew && hasClosed(practice, now)) throw nothingChangedProblem([closedPractice]);
  if (practice) return { ods_code: practice.odsCode, name: practice.name };
  throw nothingChangedProblem([noSuchPractice]);
}

export function correctionRoute(app: App, deps: ReferralDeps): void {
  app.patch(
    '/api/referrals/:id',
    {
      config: { access: withToken(), scope: 'referrals:write' },
      schema: {
        operationId: 'correctReferral',
        tags,
        summary: 'Correct the details of an open referral',
        description:
          'Send only what changes; null removes a value that may be missing. The address and the carer are each replaced whole; of `contact`, what you leave out stays. To take away what protects the person, such as “not safe to contact” or the safety notes, say why in `reason`, which both sides read. The referrer’s organisation corrects all of these fields, staff of the service `patient`, `contact`, `needs`, `goals`, `reasonable_adjustments` and `reason` alone. A list is replaced whole; an empty one removes it. The history keeps the old and the new values, the service is told at once, and so is a GP practice that had a copy; earlier letters are marked as superseded. The name, the birth date and the NHS number cannot be corrected: withdraw the referral as made in error, and make it for the right person. A new postcode outside the service’s area is refused to the referrer’s organisation (`does-not-fit`), unless `fit_override` says why the referral stays there. The address that staff of a sensitive service, or of one whose place is confidential, entered stays with the service: the referrer’s organisation reads, here and elsewhere, the one that it had entered itself. Send an address only if you learned it yourself, and leave it out to keep the present one. Where `address_notice` is there, before and in the answer, tell the person who corrects: the address of a confidential place must not be sent, because the GP practice and others get it.',
        params: idParams,
        headers: ifMatchHeaders,
        body: {
          ...correctionSchema,
          examples: [{ patient: { telephone: '01632 960987' }, urgency: 'urgent' }],
        },
        response: {
          200: theReferral,
          ...problemAnswers({
            ...badBody,
            ...staleVersion,
            403: `A field is for the referrer’s organisation to correct.${orServiceHidden}`,
            404: notYours,
            409: 'The referral is not open, is restricted, or was erased.',
            422: 'The practice is not known on this site; a protection is taken away and `reason` is missing; the person is the one who made the referral (`refers-themselves`); or the new postcode is outside the service’s area (`does-not-fit`).',
          }),
        },
      },
    },
    async (request, reply) => {
      const expected = expectedOf(request);
      const correction = request.body as Correction;
      return sendReferral(
        reply,
        await correctReferral(deps, requireCaller(request), { ...expected, correction }),
      );
    },
  );
}
