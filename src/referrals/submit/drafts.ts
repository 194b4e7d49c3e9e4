import { Type } from 'typebox';
import { actorOf, type Caller, requireCaller } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { findServiceForReferral, type ServiceForReferral } from '../../library/index.ts';
import { inRetriedTransaction, type Trx } from '../../platform/database/index.ts';
import {
  type App,
  describeErrors,
  noOtherFields,
  problemAnswers,
  validatorOf,
  withToken,
} from '../../platform/http/index.ts';
import { Problem } from '../../platform/problem/index.ts';
import { type ExpectedVersion, lockVersionForSides } from '../model/access/access.ts';
import { historyActorOf } from '../model/actors/authors.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { patientKeys } from '../model/person/identity/patient.ts';
import { expectedOf, sendReferral } from '../model/presentation/http.ts';
import { loadAndPresent, type PresentedReferral } from '../model/presentation/present.ts';
import { cannotRefer, wrongStatusProblem } from '../model/problems.ts';
import type { Draft } from '../model/referral.ts';
import { updateDraft } from '../model/referrals-store.ts';
import { draftExample } from '../model/schemas/examples.ts';
import {
  allowDuplicate,
  type DraftInput,
  draftSchema,
  type NewReferral,
  newReferralSchema,
} from '../model/schemas/new-referral.ts';
import {
  badBody,
  idParams,
  ifMatchHeaders,
  notYours,
  restrictedOrErased,
  staleVersion,
  tags,
  theReferral,
} from '../model/schemas/route-parts.ts';
import { buildDraftFields } from './checks/build-referrals.ts';
import { loadLookups } from './checks/library-lookups.ts';
import { requireRiskActedOn } from './checks/require-risk-acted-on.ts';
import { prepareSubmission, type SubmissionInProgress } from './checks/submissions.ts';
import { draftInputOf } from './draft-input.ts';
import { checkAndStore, checkSubmissions, requireAccepted } from './submit-referral.ts';

/** The new content, or a function that makes it from the stored content. */
type NewContent = DraftInput | ((stored: DraftInput) => DraftInput);

/**
 * Replaces the whole content of a draft.
 * @throws Problem `not-found`, `forbidden`, `version-stale`, `wrong-state` (it was sent), `cannot-refer`.
 */
export async function changeDraft(
  deps: ReferralDeps,
  caller: Caller,
  { input: newContent, ipAddress, ...expected }: ExpectedVersion & { input: NewContent; ipAddress: string },
): Promise<PresentedReferral> {
  const at = deps.clock.now();
  return inRetriedTransaction(deps.db, async (trx) => {
    const draft = await lockDraft(trx, caller, expected, ' Correct a referral that was sent with PATCH.');
    const input = typeof newContent === 'function' ? newContent(draftInputOf(draft)) : newContent;
    const lookups = await loadLookups(trx, deps, [input]);
    const changed: Draft = {
      ...draft,
      ...(await buildDraftFields({ deps, trx, lookups, caller, at }, input)),
      urgency: (input.urgency ?? 'routine') as Draft['urgency'],
      reroutes: input.reroutes ?? null,
      version: draft.version + 1,
      updated_at: at,
      versionAt: at,
    };
    const keys = patientKeys(deps.secrets, changed.content.patient);
    await updateDraft(trx, changed, keys, historyActorOf(caller));
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, ipAddress),
      action: 'referral.changed',
      subject: { type: 'referral', id: draft.id },
    });
    return loadAndPresent(trx, deps, caller, changed, at);
  });
}

type DraftToSend = ExpectedVersion & {
  ipAddress: string;
  allowDuplicate?: boolean | undefined;
  checksAreaText?: boolean | undefined;
  /** Why its answer about contact is right, although another referral asks for more care. */
  contactReason?: string | undefined;
  /** Why it is routine, although somebody may come to harm; or that it is urgent after all. */
  urgency?: { routineBecause: string } | 'urgent' | undefined;
};

/**
 * Checks a draft as `sendDraft` does, and sends nothing. Its transaction takes the same locks and commits, because a refusal is audited and
 * counts as an attempt, as it does on sending. @throws Problem as `sendDraft`.
 */
export async function checkDraft(deps: ReferralDeps, caller: Caller, draft: DraftToSend): Promise<void> {
  const at = deps.clock.now();
  const checked = await inRetriedTransaction(deps.db, async (trx) => {
    const submission = await submissionOfDraft(trx, deps, caller, draft, at);
    await checkSubmissions(trx, deps, [submission], at);
    return submission;
  });
  // After the transaction: thrown inside, it would undo what was recorded of the refusal.
  if (checked.decision && 'problem' in checked.decision) throw checked.decision.problem;
}

/**
 * Sends a draft. From then on it is a referral like any other, made by the person who sends it and by their organisation.
 * @throws Problem `not-found`, `forbidden`, `version-stale`, `wrong-state`, `risk-not-acted-on`, `cannot-refer`,
 * `does-not-fit`, `person-mismatch`, `death-reported`, `possible-duplicate`.
 */
export async function sendDraft(
  deps: ReferralDeps,
  caller: Caller,
  draft: DraftToSend,
): Promise<PresentedReferral> {
  const at = deps.clock.now();
  const sentDraft = await inRetriedTransaction(deps.db, async (trx) => {
    const submission = await submissionOfDraft(trx, deps, caller, draft, at);
    await checkAndStore(trx, deps, [submission], at);
    return submission;
  });
  // After the transaction: thrown inside, it would undo what was recorded of the refusal.
  return requireAccepted(sentDraft).referral;
}

async function submissionOfDraft(
  trx: Trx,
  deps: ReferralDeps,
  caller: Caller,
  { ipAddress, allowDuplicate, checksAreaText, contactReason, urgency, ...expected }: DraftToSend,
  at: Date,
): Promise<SubmissionInProgress> {
  const draft = await lockDraft(trx, caller, expected);
  // Before what is missing: nothing may hide whom to call.
  requireRiskActedOn(deps, draftInputOf(draft), at);
  await requireSharingAskedAgain(trx, draft);
  const isDuplicateMeant = allowDuplicate === true || draft.content.duplicate_meant === true;
  const input = {
    ...requireComplete(draft),
    allow_duplicate: isDuplicateMeant,
    ...(contactReason !== undefined && { contact_override: { reason: contactReason } }),
    ...(urgency === 'urgent' && { urgency }),
    ...(typeof urgency === 'object' && { urgency_override: { reason: urgency.routineBecause } }),
  };
  return { ...prepareSubmission(deps, { caller, input, ipAddress }), draft, checksAreaText };
}

/** @throws Problem as `lockVersionForSides`; `wrong-state` for a referral that was sent and for a draft that was deleted. */
async function lockDraft(trx: Trx, caller: Caller, expected: ExpectedVersion, hint = ''): Promise<Draft> {
  const referral = await lockVersionForSides(trx, caller, expected, ['referrer']);
  if (referral.requested_at === null && referral.status === 'draft') return referral;
  throw wrongStatusProblem(referral.status, ['draft'], { hint });
}

/** Whether the person agreed to a copy for their practice before the service was marked as sensitive. */
export function wasAskedBeforeSensitive(
  { versionAt, content }: Pick<Draft, 'versionAt' | 'content'>,
  { sensitiveSince }: Pick<ServiceForReferral, 'sensitiveSince'>,
): boolean {
  const isCopyWanted = content.consent?.share_with_gp === true;
  return isCopyWanted && sensitiveSince !== null && versionAt < sensitiveSince;
}

/** @throws Problem `cannot-refer` */
async function requireSharingAskedAgain(trx: Trx, draft: Draft): Promise<void> {
  const service = draft.service_id === null ? undefined : await findServiceForReferral(trx, draft.service_id);
  if (!service || !wasAskedBeforeSensitive(draft, service)) return;
  const message =
    'was answered before the service was marked as sensitive: ask the person again, and save the draft with the answer';
  const errors = [{ pointer: '/consent/share_with_gp', message }];
  throw new Problem(cannotRefer, 'Nothing was sent.', { errors });
}

/** @throws Problem `cannot-refer` that names everything that is still missing. */
function requireComplete(draft: Draft): NewReferral {
  const input = draftInputOf(draft);
  const check = validatorOf(newReferralSchema);
  if (check.Check(input)) return input;
  const errors = describeErrors(check.Errors(input), '');
  throw new Problem(cannotRefer, 'Nothing was sent. See `errors` for what is missing.', { errors });
}

const refusals = {
  ...badBody,
  ...staleVersion,
  403: 'The account is not one of the referrer’s organisation.',
  404: notYours,
};

/** Changes and sends drafts. `POST /api/referrals` makes them. */
export function draftRoutes(app: App, deps: ReferralDeps): void {
  changeDraftRoute(app, deps);
  sendDraftRoute(app, deps);
}

function changeDraftRoute(app: App, deps: ReferralDeps): void {
  app.put(
    '/api/referrals/:id',
    {
      config: { access: withToken('referrer'), scope: 'referrals:write' },
      schema: {
        operationId: 'changeDraft',
        tags,
        summary: 'Change a draft',
        description:
          'Puts what is known now in the place of the whole draft. Once it was sent this is answered 409: correct it with `PATCH` instead. To refer somebody else, or to another service, withdraw or cancel it and make another.',
        params: idParams,
        headers: ifMatchHeaders,
        // A body that is missing would empty the draft.
        body: { ...draftSchema, mustBeSent: true, examples: [draftExample] } as typeof draftSchema,
        response: {
          200: theReferral,
          ...problemAnswers({
            ...refusals,
            409: `It is no longer a draft. ${restrictedOrErased}`,
            422: 'The service or the practice is not known, or the NHS number is not one.',
          }),
        },
      },
    },
    async (request, reply) => {
      const expected = expectedOf(request);
      const input = request.body as DraftInput;
      return sendReferral(reply, await changeDraft(deps, requireCaller(request), { ...expected, input }));
    },
  );
}

function sendDraftRoute(app: App, deps: ReferralDeps): void {
  app.post(
    '/api/referrals/:id/request',
    {
      config: { access: withToken('referrer'), scope: 'referrals:write' },
      schema: {
        operationId: 'requestReferral',
        tags,
        summary: 'Send a draft',
        description:
          'Makes the draft a referral like any other: it is delivered to the service and, as the person agreed, to their GP practice. What is still missing is named, all of it at once. If the service was marked as sensitive after the draft was last saved, and the practice was to have a copy, the person is asked again first (`cannot-refer`): save the draft with the answer.',
        params: idParams,
        headers: ifMatchHeaders,
        body: Type.Object({ allow_duplicate: allowDuplicate }, noOtherFields),
        response: {
          200: theReferral,
          ...problemAnswers({
            ...refusals,
            409: 'It is no longer a draft; your organisation has an open referral of the person to this service; your organisation was told that the person has died (`death-reported`); or the NHS number is known with another name or date of birth (`person-mismatch`).',
            422: 'Something is missing or not allowed; nothing was done yet about a risk (`risk-not-acted-on`); the person does not fit the service (`does-not-fit`); or you refer yourself (`refers-themselves`).',
          }),
        },
      },
    },
    async (request, reply) => {
      const expected = expectedOf(request);
      const draft = { ...expected, allowDuplicate: request.body.allow_duplicate };
      return sendReferral(reply, await sendDraft(deps, requireCaller(request), draft));
    },
  );
}
