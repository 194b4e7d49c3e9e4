import { actorOf } from '../../accounts/index.ts';
import { type AuditAction, recordAudits } from '../../audit/index.ts';
import type { Trx } from '../../platform/database/index.ts';
import { newRandomBytes } from '../../platform/secrets/index.ts';
import { deletePrompts } from '../model/attention/prompts-store.ts';
import { historyActorOf } from '../model/authors.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { watchUrgent } from '../model/due/unseen.ts';
import { keepAnswers, type NewAnswer } from '../model/idempotency-store.ts';
import { isOfNamesake, namesakeReferred } from '../model/person/own-referral.ts';
import { loadDetails, presentReferral } from '../model/present.ts';
import { isSent } from '../model/referral.ts';
import { updateDraft } from '../model/store.ts';
import { storeDeathWarnings } from './checks/refuse-reported-dead.ts';
import { insertReferrals, type NewRow } from './new-referrals-store.ts';
import { type SubmissionInProgress, validSubmissions } from './submissions.ts';

/** Stores the valid submissions with their history, their audit entries, and the deliveries of those that are sent. */
export async function storeReferrals(
  deps: ReferralDeps,
  trx: Trx,
  submissions: readonly SubmissionInProgress[],
  at: Date,
): Promise<void> {
  const valid = validSubmissions(submissions);
  if (valid.length === 0) return;
  const added = valid.filter(({ draft }) => draft === undefined);
  const rows = added.map(({ caller, keys, referral }) => ({ referral, keys, actor: historyActorOf(caller) }));
  await insertWithReferences(trx, rows);
  for (const { caller, keys, referral } of valid.filter(({ draft }) => draft !== undefined)) {
    await updateDraft(trx, referral, keys, historyActorOf(caller));
    await deletePrompts(trx, referral.id, ['draft-waiting']);
  }
  const changes = valid.flatMap(({ referral, draft, caller: { accountId: actorId } }) => {
    const from = draft ? ('draft' as const) : null;
    return isSent(referral) ? [{ referral, from, by: 'referrer' as const, actorId, at }] : [];
  });
  await deps.referralListener.onChange(trx, changes);
  const sent = changes.map(({ referral }) => referral);
  await watchUrgent(trx, deps.settings, sent, at);
  await storeDeathWarnings(trx, valid);
  const auditEntries = valid.flatMap(({ caller, ipAddress, referral }) => {
    const entry = { at, actor: actorOf(caller, ipAddress), subject: { type: 'referral', id: referral.id } };
    const isNamesake = isOfNamesake(caller, referral);
    const made: AuditAction = `referral.${referral.status}`;
    const actions: AuditAction[] = isNamesake ? [made, namesakeReferred] : [made];
    return actions.map((action) => ({ ...entry, action }));
  });
  await recordAudits(trx, auditEntries);
}

/** References are random. One that is taken is drawn again; there are 35 million million. */
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
  deps: ReferralDeps,
  trx: Trx,
  submissions: readonly SubmissionInProgress[],
  at: Date,
): Promise<void> {
  const valid = validSubmissions(submissions);
  if (valid.length === 0) return;
  const details = await loadDetails(deps, trx, valid, at);
  const kept: NewAnswer[] = [];
  for (const submission of valid) {
    const { caller, referral, idempotency } = submission;
    const presented = presentReferral(caller, referral, details);
    if (idempotency) kept.push({ ...idempotency, referralId: referral.id, answer: presented });
    submission.outcome = { referral: presented, isReplayed: false };
  }
  await keepAnswers(trx, kept, at);
}

/** Crockford’s base 32 has no I, L, O or U, so that nothing is misread and no rude word appears. */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * A referral’s reference, to be said on the telephone: nine random characters and a check character, such as
 * `7K3QF-XW29D`. It does not tell how many referrals there are.
 */
export function newReference(): string {
  const text = [...newRandomBytes(9)].map((byte) => letters[byte % 32]).join('');
  return grouped(text + checkCharacter(text));
}

function grouped(text: string): string {
  return `${text.slice(0, 5)}-${text.slice(5)}`;
}

/**
 * Luhn’s algorithm over 32 characters: it notices every single wrong character and nearly all swapped neighbours.
 */
function checkCharacter(text: string): string {
  let sum = 0;
  for (const [index, letter] of [...text].reverse().entries()) {
    const addend = letters.indexOf(letter) * (index % 2 === 0 ? 2 : 1);
    sum += Math.floor(addend / 32) + (addend % 32);
  }
  return letters[(32 - (sum % 32)) % 32]!;
}
