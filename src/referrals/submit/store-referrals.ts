import { actorOf } from '../../accounts/index.ts';
import { type AuditAction, recordAudits } from '../../audit/index.ts';
import type { Trx } from '../../platform/database/index.ts';
import { storeDeathWarnings } from '../endings/reported-deaths.ts';
import { historyActorOf } from '../model/actors/authors.ts';
import { askAboutDangers, promptSenders } from '../model/attention/dangers.ts';
import { deletePrompts } from '../model/attention/prompts-store.ts';
import { watchFilesOfDraft, watchUntilOpened } from '../model/attention/watches.ts';
import { listNamedFiles } from '../model/attention/watches-store.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { keepAnswers, type NewAnswer } from '../model/idempotency/idempotency-store.ts';
import { isOfNamesake, namesakeReferredAction } from '../model/person/identity/own-referral.ts';
import { presentReferral } from '../model/presentation/present.ts';
import { loadDetails } from '../model/presentation/referral-details.ts';
import { isSent } from '../model/referral.ts';
import { setRerouted, updateDraft } from '../model/referrals-store.ts';
import { type BuiltSubmission, builtSubmissions, type SubmissionInProgress } from './checks/submissions.ts';
import { insertReferrals, type NewRow } from './new-referrals-store.ts';
import { newReference } from './reference.ts';

/**
 * Stores the valid submissions with their history and audit entries. Those that are sent get their deliveries, watches and prompts in the
 * same transaction.
 */
export async function storeReferrals(
  trx: Trx,
  deps: ReferralDeps,
  submissions: readonly SubmissionInProgress[],
  at: Date,
): Promise<void> {
  const valid = builtSubmissions(submissions);
  if (valid.length === 0) return;
  const newSubmissions = valid.filter(({ draft }) => draft === undefined);
  const sentDrafts = valid.filter(({ draft }) => draft !== undefined);
  const rows = newSubmissions.map(({ caller, keys, referral }) => ({
    referral,
    keys,
    actor: historyActorOf(caller),
  }));
  await insertWithReferences(trx, rows);
  for (const { caller, keys, referral } of sentDrafts) {
    await updateDraft(trx, referral, keys, historyActorOf(caller));
    await deletePrompts(trx, referral.id, ['draft-waiting']);
  }
  const changes = valid.flatMap(({ referral, draft, caller: sender }) => {
    const from = draft ? ('draft' as const) : null;
    const change = { from, by: 'referrer' as const, actorId: sender.accountId, at };
    return isSent(referral) ? [{ referral, sender, ...change }] : [];
  });
  const sentReferrals = changes.map(({ referral }) => referral);
  await setRerouted(
    trx,
    sentReferrals.flatMap(({ reroutes }) => reroutes ?? []),
    true,
  );
  // Deliveries, events and emails join the transaction here.
  await deps.roomsAbove.onStatusChange(trx, changes);
  await watchUntilOpened(trx, deps.settings, sentReferrals, at);
  for (const { referral } of changes.filter(({ from }) => from === 'draft'))
    await watchFilesOfDraft(trx, deps.settings, referral, await listNamedFiles(trx, referral.id), at);
  await askAboutDangers(trx, deps.settings, sentReferrals, at);
  await promptSenders(trx, deps.settings, changes, at);
  await storeDeathWarnings(trx, valid);
  await recordAudits(
    trx,
    valid.flatMap((submission) => auditEntriesOf(submission, at)),
  );
}

/** One entry for the referral, and one more if it is of somebody with the name of the account’s holder. */
function auditEntriesOf({ caller, ipAddress, referral }: BuiltSubmission, at: Date) {
  const entry = { at, actor: actorOf(caller, ipAddress), subject: { type: 'referral', id: referral.id } };
  const mainAction: AuditAction = `referral.${referral.status}`;
  const actions: AuditAction[] = isOfNamesake(caller, referral)
    ? [mainAction, namesakeReferredAction]
    : [mainAction];
  return actions.map((action) => ({ ...entry, action }));
}

/** Inserts the referrals, each with a random reference; one that is taken is drawn again. There are 35 million million. */
async function insertWithReferences(trx: Trx, rows: readonly NewRow[]): Promise<void> {
  let missing = rows;
  while (missing.length > 0) {
    for (const { referral } of missing) referral.reference = newReference();
    const stored = await insertReferrals(trx, missing);
    missing = missing.filter(({ referral }) => !stored.has(referral.id));
  }
}

/** Gives each stored submission its referral as the caller may see it, and keeps that for a repeated request. */
export async function answerSubmissions(
  trx: Trx,
  deps: ReferralDeps,
  submissions: readonly SubmissionInProgress[],
  at: Date,
): Promise<void> {
  const valid = builtSubmissions(submissions);
  if (valid.length === 0) return;
  const details = await loadDetails(trx, deps, valid, at);
  const newAnswers: NewAnswer[] = [];
  for (const submission of valid) {
    const { caller, referral, idempotency } = submission;
    const presented = presentReferral(caller, referral, details);
    if (idempotency) newAnswers.push({ ...idempotency, referralId: referral.id, answer: presented });
    submission.decision = { referral: presented, isReplayed: false };
  }
  await keepAnswers(trx, newAnswers, at);
}
