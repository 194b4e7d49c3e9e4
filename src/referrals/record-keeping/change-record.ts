import { actorOf, type Caller } from '../../accounts/index.ts';
import { type Actor, type AuditAction, recordAudit, withRefusalAudit } from '../../audit/index.ts';
import { inRetriedTransaction, type Trx } from '../../platform/database/index.ts';
import { newId, requireById } from '../../platform/ids/index.ts';
import { addJobs, addKeyedJob } from '../../platform/jobs/index.ts';
import { type FieldError, Problem, unprocessable } from '../../platform/problem/index.ts';
import { requireReason } from '../../platform/reason.ts';
import { cleanText } from '../../platform/visible-text.ts';
import { warnOfReportedDeath } from '../endings/reported-deaths.ts';
import { requireAnonymousReason } from '../model/access/operator-reason.ts';
import { addNotifications, forBothSides } from '../model/attention/notifications.ts';
import type { RecordChange, ReferralDeps } from '../model/deps.ts';
import { nobodyToldErrors } from '../model/person/danger/who-was-told.ts';
import { isCertainlySamePerson } from '../model/person/identity/same-person.ts';
import { type PresentedReferral, presentStored } from '../model/presentation/present.ts';
import { wrongState } from '../model/problems.ts';
import { type Draft, isSent, openStatuses, type Referral } from '../model/referral.ts';
import { lockReferral } from '../model/referrals-store.ts';
import { requireNotErased, requireNotHeld, requireUsable } from '../model/status/usable.ts';
import { eraseContent } from './erasure/erasure-store.ts';
import { openItemsInWords } from './erasure/still-open.ts';
import { findOpenItems, type OpenItem } from './erasure/still-open-store.ts';
import {
  findDraftsOfPerson,
  forgetRejection,
  insertBlock,
  liftBlock,
  setServiceTold,
  type WhoWasTold,
  wasDeathReported,
} from './records-store.ts';
import { errorsInWhenTold, whyTellServiceFirst } from './tell-service-first.ts';

/** What operators do to a referral or draft because of the rights of the person in it, and why. */
export type RecordChangeRequest = {
  referralId: string;
  reason: string;
  /** For an erasure: on which ground. Older clients do not send it. */
  ground?: ErasureGround;
  /** For a restriction: who at the service was told that it cannot read the referral any more. Pages ask it where somebody is in danger. */
  service_told?: WhoWasToldFields | undefined;
  /** For an erasure: who was told of what is still open. */
  told?: WhoWasToldFields | undefined;
  /** True from the page, which can ask: it restricts only once somebody at the service was told. */
  mustTellService?: true;
  ipAddress: string;
};

/** Who was told of what this change takes away, and when, in ISO 8601. */
type WhoWasToldFields = { who_was_told: string; when: string };

/** The grounds for erasure of UK GDPR, article 17(1)(a) to (e), in words for the page. */
export const erasureGrounds = {
  'not-needed': 'It is no longer needed for the care that it was recorded for, or to account for that',
  'consent-withdrawn': 'It was kept by consent alone, and the person has withdrawn that',
  objection: 'The person objects to it being kept, and there is no overriding reason to keep it',
  unlawful: 'It should never have been recorded',
  'legal-duty': 'The law requires that it is erased',
} as const;
export type ErasureGround = keyof typeof erasureGrounds;

/** What an operator can send to somebody whose record is needed: UK GDPR, article 17(3)(c). */
export const erasureRefusedInWords =
  'You asked us to erase this record. We have to keep it, because health and social care records are needed for safe care and to answer for it later (UK GDPR, article 17(3)(c)). It is erased when the time for which such records are kept has ended. You can ask us to correct it, or to restrict who works with it. If you disagree, you can complain to us, and to the Information Commissioner’s Office: ico.org.uk, telephone 0303 123 1113.';

/** What a change needs: the locked referral, and who makes the change, when and why. */
type RecordChangeContext = {
  referral: Referral | Draft;
  by: { accountId: string; name: string; reason: string; at: Date };
  /** For the audit. */
  attempt: { actor: Actor; action: AuditAction };
};

/**
 * Makes a change to one record for an operator, in one transaction. A refused attempt is audited as well: the refusal of a reason
 * tells an operator what the person is called.
 * @returns the referral as it is then.
 * @throws Problem `not-found`, `referral-erased`, `unprocessable` for a reason that is too short or names the person, and what
 * `change` throws.
 */
export function changeRecord(
  deps: ReferralDeps,
  caller: Caller,
  request: RecordChangeRequest,
  action: AuditAction,
  change: (trx: Trx, inProgress: RecordChangeContext) => Promise<void>,
): Promise<PresentedReferral> {
  const at = deps.clock.now();
  const attempt = { actor: actorOf(caller, request.ipAddress), action };
  return withRefusalAudit(deps, attempt, () =>
    inRetriedTransaction(deps.db, async (trx) => {
      const { referral, reason } = await lockForOperator(trx, request);
      const by = { accountId: caller.accountId, name: caller.name, reason, at };
      await change(trx, { referral, by, attempt });
      return presentStored(trx, deps, caller, referral.id, at);
    }),
  );
}

/**
 * Restricts a referral: until that is lifted, neither side reads it or works with it, and nothing of it is sent.
 * @throws Problem `not-found`, `referral-restricted`, `referral-erased`, `unprocessable`.
 */
export function restrictReferral(
  deps: ReferralDeps,
  caller: Caller,
  request: RecordChangeRequest,
): Promise<PresentedReferral> {
  const { service_told: whoWasTold } = request;
  return changeRecord(
    deps,
    caller,
    request,
    'referral.restricted',
    async (trx, { referral, by, attempt }) => {
      if (!whoWasTold && request.mustTellService) requireNobodyInDanger(deps, referral);
      const serviceTold =
        whoWasTold && requireWhoWasTold(whoWasTold, referral, { field: 'service_told', at: by.at });
      await restrict(trx, deps, { referral, by, actor: attempt.actor, serviceTold });
    },
  );
}

/** @throws Problem `unprocessable` if the service has to be told first. */
function requireNobodyInDanger(
  { settings }: Pick<ReferralDeps, 'settings'>,
  referral: Referral | Draft,
): void {
  if (whyTellServiceFirst(settings, referral).length === 0) return;
  const errors = [
    {
      pointer: '/service_told/who_was_told',
      message: 'Tell a person at the service first, and enter who it was',
    },
  ];
  throw new Problem(unprocessable, undefined, { errors });
}

/** @throws Problem `unprocessable` if it names the person, does not say who was told, or is from more than seven days ago. */
function requireWhoWasTold(
  { who_was_told, when }: WhoWasToldFields,
  { content }: Referral | Draft,
  { field, at }: { field: 'service_told' | 'told'; at: Date },
): WhoWasTold {
  requireAnonymousReason(who_was_told, content, `/${field}/who_was_told`);
  const errors = [
    ...nobodyToldErrors(who_was_told, `/${field}/who_was_told`),
    ...errorsInWhenTold(when, at, `/${field}/when`),
  ];
  if (errors.length > 0) throw new Problem(unprocessable, undefined, { errors });
  return { who: cleanText(who_was_told), at: new Date(when) };
}

type ChangeByActor = Pick<RecordChangeContext, 'referral'> & {
  by: Omit<RecordChangeContext['by'], 'accountId'> & { accountId: string | null };
  actor: Actor;
};

async function restrict(
  trx: Trx,
  deps: ReferralDeps,
  { referral, by, actor, serviceTold }: ChangeByActor & { serviceTold?: WhoWasTold | undefined },
): Promise<void> {
  const { reason, at } = by;
  const details = { reason, ...(serviceTold && { service_told: serviceTold }) };
  requireUsable(referral);
  await insertBlock(trx, 'restriction', referral.id, { ...by, id: newId(at.getTime()) });
  if (serviceTold) await setServiceTold(trx, referral.id, serviceTold);
  await afterRecordChange(trx, deps, { referral, kind: 'restricted', at }, actor, details);
  await tellBothSides(trx, referral, { kind: 'restricted', actorId: by.accountId, at });
}

/**
 * Lifts the restriction, and sends the messages that waited.
 * @throws Problem `not-found`, `wrong-state` if it is not restricted, `referral-erased`, `unprocessable`.
 */
export function unrestrictReferral(
  deps: ReferralDeps,
  caller: Caller,
  request: RecordChangeRequest,
): Promise<PresentedReferral> {
  return changeRecord(
    deps,
    caller,
    request,
    'referral.unrestricted',
    async (trx, { referral, by, attempt }) => {
      const { reason, at } = by;
      if (referral.restrictedAt === null) throw new Problem(wrongState, 'It is not restricted.');
      await liftBlock(trx, 'restriction', referral.id, by);
      await afterRecordChange(trx, deps, { referral, kind: 'unrestricted', at }, attempt.actor, { reason });
      if (isSent(referral)) await afterLift(trx, deps, caller, referral);
      // There were no new prompts while it was restricted.
      await addJobs(trx, 'update-prompts', [{}]);
      await tellBothSides(trx, referral, { kind: 'unrestricted', actorId: by.accountId, at });
      if (referral.deathReportedAt) await tellBothSides(trx, referral, { kind: 'death', actorId: null, at });
    },
  );
}

/** Nobody could answer while it was restricted, so the site warns again before it rejects. A death may also have been reported meanwhile. */
async function afterLift(trx: Trx, deps: ReferralDeps, caller: Caller, referral: Referral): Promise<void> {
  await forgetRejection(trx, referral.id);
  if (openStatuses.includes(referral.status) && !(await wasDeathReported(trx, referral.id)))
    await warnOfReportedDeath(trx, deps, caller, referral);
}

/** Neither side may go on waiting for the other when it cannot read the referral. Nobody but the referrer knows of a draft. */
async function tellBothSides(
  trx: Trx,
  referral: Referral | Draft,
  { kind, actorId, at }: { kind: RecordChange['kind'] | 'death'; actorId: string | null; at: Date },
): Promise<void> {
  if (!isSent(referral)) return;
  await addNotifications(trx, forBothSides({ referralId: referral.id, kind, actorId, at }));
}

/**
 * Erases what a referral says, for good. It must have ended, and must not be held or restricted, because then it may be needed in court.
 * While somebody is still owed something, such as a letter or a call, the request has to say who was told of that.
 * @throws Problem `not-found`, `wrong-state`, `referral-held`, `referral-restricted`, `referral-erased`, `unprocessable`.
 */
export function eraseReferral(
  deps: ReferralDeps,
  caller: Caller,
  request: RecordChangeRequest,
): Promise<PresentedReferral> {
  return changeRecord(deps, caller, request, 'referral.erased', async (trx, { referral, by, attempt }) => {
    if (request.ground === undefined)
      throw new Problem(unprocessable, undefined, { errors: [groundMissing] });
    const whoWasTold =
      request.told && requireWhoWasTold(request.told, referral, { field: 'told', at: by.at });
    requireErasable(referral);
    const open = await findOpenItems(trx, referral.id);
    if (open.length > 0 && !whoWasTold) throw stillOpen(open);
    const why = {
      ground: request.ground,
      ...(open.length > 0 && { open }),
      ...(whoWasTold && { told: whoWasTold }),
    };
    await erase(trx, deps, { referral, by, actor: attempt.actor, why });
  });
}

const groundMissing: FieldError = {
  pointer: '/ground',
  message: `must say why the law lets it be erased: ${Object.keys(erasureGrounds).join(', ')}`,
};

function stillOpen(open: readonly OpenItem[]): Problem {
  const detail = `Somebody is still owed something: ${openItemsInWords(open).join('; ')}. Deal with it first, or say in told who was told of it, and when.`;
  const errors = [
    {
      pointer: '/told/who_was_told',
      message: 'Tell somebody who will deal with what is open, and enter who',
    },
  ];
  return new Problem(wrongState, detail, { errors });
}

/** @throws Problem `referral-held`, `referral-restricted`, `referral-erased`, `wrong-state`. */
function requireErasable(referral: Referral | Draft): void {
  requireNotHeld(referral);
  requireUsable(referral);
  if (openStatuses.includes(referral.status))
    throw new Problem(wrongState, `It is ${referral.status}: it has to be ended before it is erased.`);
}

/** Why it may be erased; `open` is what somebody was owed, and `told` is who was told of that. */
type ErasureReason = { ground?: ErasureGround; open?: readonly OpenItem[]; told?: WhoWasTold };

async function erase(
  trx: Trx,
  deps: ReferralDeps,
  { referral, by, actor, why }: ChangeByActor & { why?: ErasureReason },
): Promise<void> {
  const { reason, at } = by;
  await eraseDrafts(trx, deps, { referral, by, actor, ground: why?.ground });
  await eraseContent(trx, deps, referral.id, { isUnlawful: why?.ground === 'unlawful', at });
  await afterRecordChange(trx, deps, { referral, kind: 'erased', at }, actor, { reason, ...why });
  await tellBothSides(trx, referral, { kind: 'erased', actorId: by.accountId, at });
}

/** Erases drafts about the person too. Otherwise something that was copied into one could be sent later. */
async function eraseDrafts(
  trx: Trx,
  deps: ReferralDeps,
  { referral, by, actor, ground }: ChangeByActor & { ground?: ErasureGround | undefined },
): Promise<void> {
  const { reason, at } = by;
  const own = referral.content.patient ?? {};
  const drafts = await findDraftsOfPerson(trx, referral.id);
  for (const draft of drafts.filter(({ content }) => isCertainlySamePerson(content.patient ?? {}, own))) {
    await eraseContent(trx, deps, draft.id, { isUnlawful: ground === 'unlawful', at });
    await afterRecordChange(trx, deps, { referral: draft, kind: 'erased', at }, actor, { reason, ground });
  }
}

/**
 * On a test site the simulator restricts or erases a referral in place of an operator.
 * @throws Problem `wrong-state`, `referral-held`, `referral-restricted`, `referral-erased`.
 */
export async function changeRecordBySimulator(
  trx: Trx,
  deps: ReferralDeps,
  referralId: string,
  kind: 'restricted' | 'erased',
  actor: Actor,
): Promise<void> {
  const referral = await lockReferral(trx, referralId);
  if (!referral) return;
  const reason = 'The story asks for it.';
  const by = { accountId: null, name: actor.name, reason, at: deps.clock.now() };
  if (kind === 'restricted') return restrict(trx, deps, { referral, by, actor });
  requireErasable(referral);
  await erase(trx, deps, { referral, by, actor });
}

/** Locks the referral and checks the reason. @returns both, the reason without extra spaces */
async function lockForOperator(
  trx: Trx,
  { referralId, reason: typed }: RecordChangeRequest,
): Promise<{ referral: Referral | Draft; reason: string }> {
  const referral = await requireById(referralId, (id) => lockReferral(trx, id));
  requireNotErased(referral);
  const reason = requireReason(typed);
  requireAnonymousReason(reason, referral.content);
  return { referral, reason };
}

/** Lets the rooms above follow the change, plans the vacuum after an erasure, and audits. */
export async function afterRecordChange(
  trx: Trx,
  { roomsAbove }: Pick<ReferralDeps, 'roomsAbove'>,
  change: RecordChange,
  actor: Actor,
  details: Record<string, unknown>,
): Promise<void> {
  const { referral, kind, at } = change;
  await roomsAbove.onRecordChange(trx, change);
  // Each erasure postpones the run by a minute, so that one run serves them all.
  if (kind === 'erased') await addKeyedJob(trx, 'vacuum-erased', {}, { key: 'vacuum-erased', inSeconds: 60 });
  const subject = { type: 'referral', id: referral.id };
  await recordAudit(trx, { at, actor, action: `referral.${kind}`, subject, details });
}
