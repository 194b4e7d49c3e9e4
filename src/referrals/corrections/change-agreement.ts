import { isDeepStrictEqual } from 'node:util';
import { type Static, Type } from 'typebox';
import { actorOf, type Caller, requireCaller } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { inRetriedTransaction, type Trx } from '../../platform/database/index.ts';
import { type App, noOtherFields, orNull, problemAnswers, withToken } from '../../platform/http/index.ts';
import { type FieldError, Problem } from '../../platform/problem/index.ts';
import { lockForSidesInAnyCase } from '../model/access/access.ts';
import {
  findServicesNotToName,
  hiddenServiceName,
  isServiceHidden,
  requireKnownService,
} from '../model/access/hide-sensitive-services.ts';
import { recordAccess } from '../model/access/looks.ts';
import { writingSide } from '../model/access/sides.ts';
import { historyActorOf } from '../model/actors/authors.ts';
import { endReferral } from '../model/change-status.ts';
import type { LetterReceiver } from '../model/deliveries.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { londonDate } from '../model/due/dates.ts';
import { limitOfJudgement, momentErrors } from '../model/due/past-moment.ts';
import { type FieldChange, listHistory } from '../model/history-store.ts';
import {
  agreementErrors,
  isOwnDecision,
  mustSayWhoDecided,
  type OwnBasis,
  sharesMore,
  sharingLevel,
  undoesOwnDecision,
} from '../model/person/agreement.ts';
import { etagOf, loadAndPresent, type PresentedReferral } from '../model/presentation/present.ts';
import { nothingChangedProblem, wrongState } from '../model/problems.ts';
import {
  type Agreement,
  isSent,
  type Referral,
  type ReferralContent,
  type StatusReason,
} from '../model/referral.ts';
import { deliveryLegSchema, deliveryPurposeSchema } from '../model/schemas/delivery.ts';
import { referralExample } from '../model/schemas/examples.ts';
import { agreementSchema, agreementWording, longText, shareWithGp } from '../model/schemas/new-referral.ts';
import { moment, referralSchema } from '../model/schemas/referral.ts';
import { badBody, idParams, notYours, restrictedOrErased, tags } from '../model/schemas/route-parts.ts';
import { possibleEnding, type Side } from '../model/status/state-machine.ts';
import { isUsable, requireUsable } from '../model/status/usable.ts';
import { type ContentEdit, changeContent } from './change-content.ts';
import { changesBetween } from './correction.ts';

/** What the person agrees to from now on. Without `share_with_gp`, nothing more is sent to the practice. */
export type AgreementChange = Static<typeof agreementChangeSchema>;

export type AgreementResult = PresentedReferral & { already_told: readonly LetterReceiver[] };

/**
 * Records that the person agrees to something else. From then on no letter goes out that they did not agree to, not even one that waits
 * or is tried again. It needs no version: what the person wants counts, whatever changed meanwhile. Anybody may say that less is to be
 * told, at any age, and also while the referral is restricted: otherwise what waits would be sent once that is lifted. If more is to be
 * told about a child, or about somebody for whom others decide, `said_by` names who said so. A colleague from whom the service is hidden
 * gives a reason before the practice is told more, or the referral ends.
 * @throws Problem `not-found`, `forbidden`, `wrong-state` for a draft, `referral-restricted` if more is told, `referral-erased`.
 * `unprocessable` if `said_by` names people who do not decide for somebody of this age, or if it or the reason is missing where it is needed.
 */
export async function changeAgreement(
  deps: ReferralDeps,
  caller: Caller,
  { referralId, agreement, ipAddress }: { referralId: string; agreement: AgreementChange; ipAddress: string },
): Promise<AgreementResult> {
  return inRetriedTransaction(deps.db, async (trx) => {
    const locked = await lockForSidesInAnyCase(trx, caller, referralId, deps.clock.now());
    const { referral, sides } = locked;
    // The change counts from here, where the referral is locked: a letter that was being sent until now went out before it.
    const at = deps.clock.now();
    if (!isSent(referral))
      throw new Problem(wrongState, 'It is a draft: nobody was told of it. Change it with PUT.');
    if (sharesMore(referral, agreement)) requireUsable(referral);
    await recordAccess(trx, deps, caller, locked, at);
    // A new letter would name the service, and nobody may end help that they may not know about.
    if (agreement.referral === false || sharesMore(referral, agreement))
      await requireKnownService(trx, { caller, referral });
    await requireMayTellMore(trx, referral, agreement, sides);
    const saidBy = requireValidSaidBy(referral, agreement, at);
    const alreadyTold = await deps.roomsAbove.listLetterReceivers(trx, referral.id);
    const consent = consentFromNowOn(referral, agreement, { saidBy, recordedBy: caller.name, at });
    const edit = { by: writingSide(sides)!, actor: historyActorOf(caller), at };
    let changed = await storeConsent(trx, deps, referral, consent, edit);
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, ipAddress),
      action: 'referral.agreement_changed',
      subject: { type: 'referral', id: referral.id },
    });
    // The person does not want the referral any more, so it ends by whichever action this side may take.
    const ending = possibleEnding(['cancel', 'reject'], changed.status, sides);
    if (agreement.referral === false && ending)
      changed = await endReferral(trx, deps, caller, changed, {
        ending,
        cause: 'no-longer-agreed',
        reason: reasonForEnd(saidBy),
        ipAddress,
        at,
      });
    const receivers = await hideServiceNames(trx, { caller, referral: changed }, alreadyTold);
    return {
      ...(await loadAndPresent(trx, deps, caller, changed, at)),
      already_told: isUsable(changed) ? receivers : receivers.map((each) => ({ ...each, recipient: null })),
    };
  });
}

type Consent = ReferralContent['consent'];

/** What the person agrees to from now on, who said so and who recorded it. */
function consentFromNowOn(
  { content: { consent: before } }: Referral,
  { share_with_gp = false, said_by, wording, reason }: AgreementChange,
  { saidBy, recordedBy, at }: { saidBy: Agreement | undefined; recordedBy: string; at: Date },
): Consent {
  // The old wording goes: the person agreed to something else then.
  const { wording: _wording, said_by: saidByBefore, reason: reasonBefore, ...rest } = before;
  // Repeating the same answer keeps what is stored about who gave it. A parent who repeats a child's answer does not take its place.
  const repeatsChild =
    saidByBefore?.basis === 'competent_child' && said_by !== undefined && !isOwnDecision(said_by.basis);
  const keepsSaidBy = share_with_gp === before.share_with_gp && (said_by === undefined || repeatsChild);
  const storedSaidBy = keepsSaidBy ? saidByBefore : saidBy;
  const storedReason = reason ?? (keepsSaidBy ? reasonBefore : undefined);
  return {
    ...rest,
    share_with_gp,
    ...(wording !== undefined && { wording }),
    recorded_by: recordedBy,
    recorded_at: at.toISOString(),
    ...(storedSaidBy && { said_by: storedSaidBy }),
    ...(storedReason !== undefined && { reason: storedReason }),
  };
}

/** Stores the new consent with its history, and has the practice told what it may know now. A consent that says the same changes nothing. */
async function storeConsent(
  trx: Trx,
  deps: ReferralDeps,
  referral: Referral,
  consent: Consent,
  edit: Omit<ContentEdit, 'kind' | 'changes'>,
): Promise<Referral> {
  const { content, version } = referral;
  const before = content.consent;
  const endsCodesOnly = before.share_with_gp === 'codes_only' && consent.share_with_gp !== 'codes_only';
  const after = {
    ...referral,
    content: { ...content, consent, ...(endsCodesOnly && { full_copies_since: version + 1 }) },
  };
  const changes = [
    ...changesBetween(referral, after),
    ...changeOf('consent.said_by', before.said_by, consent.said_by),
    ...changeOf('consent.reason', before.reason, consent.reason),
  ];
  if (changes.length === 0) return referral;
  return changeContent(trx, deps, referral, after, { ...edit, kind: 'agreement', changes });
}

/** The history keeps who said each change, and why: the referral itself has only the last. */
function changeOf<T extends string | Agreement>(
  field: string,
  from: T | undefined,
  to: T | undefined,
): FieldChange[] {
  return isDeepStrictEqual(from, to) ? [] : [{ field, from: from ?? null, to: to ?? null } as FieldChange];
}

/**
 * Refuses a change by which the practice is told more, if the caller may not make it. Only the child may undo a competent child’s decision.
 * Staff of the service must name who said so, and may not do it after the person wanted no referral at all: then the referrer asks again.
 * @throws Problem `unprocessable`
 */
async function requireMayTellMore(
  trx: Trx,
  referral: Pick<Referral, 'id' | 'content' | 'status_reason' | 'endCause'>,
  agreement: AgreementChange,
  sides: readonly Side[],
): Promise<void> {
  if (!sharesMore(referral, agreement)) return;
  const { said_by: saidBy } = agreement;
  if (saidBy && !isOwnDecision(saidBy.basis) && (await hasChildDecided(trx, referral)))
    throw nothingChangedProblem([childDecided]);
  if (sides.includes('referrer')) return;
  if (isNoLongerAgreed(referral)) throw nothingChangedProblem([noLongerAgreed]);
  if (!saidBy) throw nothingChangedProblem([serviceNamesNobody]);
}

/** Whether a child who can decide has decided, at the start or later, also if the practice is told less since then because of somebody else. */
async function hasChildDecided(
  trx: Trx,
  { id, content }: Pick<Referral, 'id' | 'content'>,
): Promise<boolean> {
  if ([content.agreement, content.consent.said_by].some((each) => each?.basis === 'competent_child'))
    return true;
  const changes = (await listHistory(trx, id)).flatMap(({ details }) => details?.changes ?? []);
  return changes.some(
    ({ field, to }) => field === 'consent.said_by' && (to as Agreement | null)?.basis === 'competent_child',
  );
}

/**
 * Who said so, as it is stored. As with a new referral, an adult has said it where nobody else is named.
 * @throws Problem `unprocessable` if those who are named do not decide for somebody of this age, or nobody is named or no reason given
 * where that is needed
 */
function requireValidSaidBy(
  referral: Pick<Referral, 'content'>,
  agreement: AgreementChange,
  at: Date,
): Agreement | undefined {
  const { said_by: saidBy } = agreement;
  const isMoreShared = sharesMore(referral, agreement);
  if (!saidBy) {
    const isTakenAsOwn = !mustSayWhoDecided(referral.content, londonDate(at));
    if (isTakenAsOwn) return isMoreShared ? { basis: 'person' } : undefined;
    if (isMoreShared) throw nothingChangedProblem([whoIsMissing]);
    return { basis: 'not_asked' };
  }
  const errors = saidByErrors(referral, { ...agreement, said_by: saidBy }, at);
  if (errors.length > 0) throw nothingChangedProblem(errors);
  return { ...saidBy, ...(saidBy.when !== undefined && { when: new Date(saidBy.when).toISOString() }) };
}

/** Anybody may say that less is told, or that the referral ends: then only what the schema requires has to be there. */
function saidByErrors(
  referral: Pick<Referral, 'content'>,
  {
    said_by: saidBy,
    share_with_gp: share = false,
    reason,
    ...agreement
  }: AgreementChange & { said_by: NonNullable<AgreementChange['said_by']> },
  at: Date,
): FieldError[] {
  const { content } = referral;
  const { patient, consent } = content;
  const isMoreShared = sharesMore(referral, { share_with_gp: share });
  const endsReferral = agreement.referral === false;
  const isLessTold = share === false || sharingLevel(share) < sharingLevel(consent.share_with_gp);
  const onlyRequired = isLessTold || (endsReferral && !isMoreShared);
  const needsReason = (isMoreShared || endsReferral) && undoesOwnDecision(content, saidBy);
  const when = saidBy.when && { ...limitOfJudgement, pointer: '/said_by/when', moment: saidBy.when };
  return [
    ...agreementErrors({ agreement: saidBy, patient }, londonDate(at), 'said_by').filter(
      ({ code }) => !onlyRequired || code === 'required',
    ),
    ...(when ? momentErrors(when, patient.birth_date, at) : []),
    ...(needsReason && reason === undefined ? [isMoreShared ? reasonIsMissing : reasonToEndIsMissing] : []),
  ];
}

const whoIsMissing: FieldError = {
  pointer: '/said_by',
  message: 'is required, because the practice would be told more about somebody who may not decide alone',
  code: 'required',
};

const childDecided: FieldError = {
  pointer: '/said_by/basis',
  message:
    'must be the child’s own agreement, because a child who can decide this decided that the practice is told less. If somebody is in danger, tell the practice yourself',
  code: 'child-decided',
};

const noLongerAgreed: FieldError = {
  pointer: '/share_with_gp',
  message:
    'must not tell the practice more, because the person no longer wanted the referral. If they changed their mind, ask the referrer to record it',
  code: 'no-longer-agreed',
};

const serviceNamesNobody: FieldError = {
  pointer: '/said_by',
  message: 'is required, because the service would have the practice told more than the person agreed to',
  code: 'required',
};

const reasonIsMissing: FieldError = {
  pointer: '/reason',
  message: 'is required, because the practice would be told more than the person decided themselves',
  code: 'reason-to-tell-more',
};

const reasonToEndIsMissing: FieldError = {
  pointer: '/reason',
  message: 'is required, because somebody else ends what the person had agreed to themselves',
  code: 'reason-to-end',
};

/** The name of a sensitive service, also of an earlier one, is hidden from a colleague here, too. */
async function hideServiceNames(
  trx: Trx,
  view: Parameters<typeof isServiceHidden>[1],
  receivers: readonly LetterReceiver[],
): Promise<LetterReceiver[]> {
  const isHidden = await isServiceHidden(trx, view);
  const { names } = await findServicesNotToName(trx, view);
  return receivers.map((each) =>
    each.leg === 'service' && (isHidden || names.has(each.recipient ?? ''))
      ? { ...each, recipient: hiddenServiceName }
      : each,
  );
}

/** Whether the referral ended because the person, or somebody for them, no longer agreed to it. */
function isNoLongerAgreed({
  status_reason: reason,
  endCause,
}: Pick<Referral, 'status_reason' | 'endCause'>): boolean {
  return reason?.code === 'client-declined' || endCause === 'no-longer-agreed';
}

/** Only what the person said themselves is their own wish. */
function reasonForEnd(saidBy: Agreement | undefined): StatusReason {
  if (saidBy === undefined || isOwnDecision(saidBy.basis))
    return { code: 'client-declined', text: 'The person no longer agrees to the referral.' };
  return { code: 'other', text: endedBy[saidBy.basis] };
}

const endedBy: Readonly<Record<Exclude<Agreement['basis'], OwnBasis>, string>> = {
  parental_responsibility:
    'Somebody with parental responsibility said that the person no longer agrees to the referral.',
  attorney_or_deputy: 'An attorney or deputy said that the person no longer agrees to the referral.',
  best_interests: 'Others decided in the person’s best interests that the referral ends.',
  safeguarding: 'It was decided that the referral ends, to keep the person or somebody else safe.',
  not_asked: 'Somebody said that the person no longer agrees to the referral. It is not known who.',
};

const toldReceiverSchema = Type.Object(
  {
    leg: deliveryLegSchema,
    recipient: orNull(Type.String()),
    purpose: deliveryPurposeSchema,
    status: Type.String({
      description: '`sending` and `uncertain`: nobody can tell yet whether it arrived.',
    }),
    at: moment,
  },
  { title: 'ToldReceiver' },
);

const toldReceiverExample = {
  leg: 'gp_practice',
  recipient: 'Infirmary Lane Surgery',
  purpose: 'referral',
  status: 'sent',
  at: '2026-11-21T09:30:00.000Z',
};

const answerSchema = Type.Object(
  {
    ...referralSchema.properties,
    already_told: Type.Array(toldReceiverSchema, {
      description:
        'Who has a letter already, or may have. They are not told of the change: do that yourself.',
    }),
  },
  {
    title: 'ChangedAgreement',
    base: 'Referral',
    examples: [{ ...referralExample, already_told: [toldReceiverExample] }],
  },
);

/** The body of a changed agreement. */
export const agreementChangeSchema = Type.Object(
  {
    share_with_gp: Type.Optional(shareWithGp),
    referral: Type.Optional(
      Type.Boolean({
        description:
          'False if the person no longer agrees to be referred. A colleague from whom the service is hidden opens the referral with a reason first.',
      }),
    ),
    wording: Type.Optional(agreementWording),
    said_by: Type.Optional({
      ...agreementSchema,
      description:
        'Who said so, or on what ground it was decided: ask it for somebody under 16, or who cannot decide. Required for them, and for those for whom others had agreed, if the practice is to be told more than before; if less is told, it is stored as `not_asked` when left out. For anybody else, left out by the referrer’s side with more to be told, it is stored as `person`; the service must name who said so. What a child who can decide had decided, only `competent_child` (or `person` from 16 on) changes to more. Anybody may say that less is to be told, so `person` is then accepted at any age. `agreement` still says on what the referral rests.',
    }),
    reason: Type.Optional(
      longText(
        'Why the practice is told more than the person decided themselves, or why the referral ends although they agreed to it. Required if they decided it, as a child who can decide or as an adult, and others in `said_by` decide now. Both sides see it.',
      ),
    ),
  },
  noOtherFields,
);

export function agreementRoute(app: App, deps: ReferralDeps): void {
  app.post(
    '/api/referrals/:id/agreement-changed',
    {
      config: { access: withToken(), scope: 'referrals:write' },
      schema: {
        operationId: 'changeAgreement',
        tags,
        summary: 'Record that the person agrees to something else',
        description:
          'From this second no letter goes to the GP practice that the person does not agree to, also none that waits or would be tried again; `already_told` says who has one. A practice that may know more than before gets its letter at once: the copy, or after the end the letter about the end, with what is still to do. One that has details and may now have a code alone gets a letter at once, too, which asks it to restrict them. `share_with_gp` counts as false when left out. With `"referral": false` they do not want the referral any more, and it ends as cancelled or rejected; the reason says so if others said it, and not they. Both sides may record it. For a child, or somebody who cannot decide, `said_by` has who said so. Anybody may stop it, also while it is restricted: if less is told than before, nobody is too young to say so. If more is told, `said_by` is required for a child, and for somebody for whom others had agreed. `reason` is required too if others now have more told, or end the referral, and the child or adult had decided otherwise themselves. A colleague of the referrer from whom a sensitive service is hidden may only have less told until they open the referral with a reason. While it is restricted, this still stops and ends. It does not need `If-Match`.',
        params: idParams,
        body: {
          ...agreementChangeSchema,
          examples: [{ share_with_gp: false }],
        },
        response: {
          200: answerSchema,
          ...problemAnswers({
            ...badBody,
            403: 'This is for the two sides of the referral. Or the service is hidden from you: to have more told, or to end the referral, open it with a reason first.',
            404: notYours,
            409: `It is a draft. ${restrictedOrErased}`,
            422: 'More would be told than before, and `said_by` names nobody, or somebody who does not decide at this age; or others undo what the person decided themselves, or end the referral, and `reason` is missing. Or a child who can decide had decided otherwise, or the service would have more told without `said_by` or after the person no longer wanted the referral.',
          }),
        },
      },
    },
    async (request, reply) => {
      const agreement = request.body as AgreementChange;
      const change = { referralId: request.params.id, agreement, ipAddress: request.ip };
      const { already_told, ...referral } = await changeAgreement(deps, requireCaller(request), change);
      const receivers = already_told.map((each) => ({ ...each, at: each.at.toISOString() }));
      return reply.header('etag', etagOf(referral)).send({ ...referral, already_told: receivers } as never);
    },
  );
}
