import { actorOf, type Caller } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { type Db, inTransaction, type Trx } from '../../platform/database/index.ts';
import type { FormErrors } from '../../platform/html/index.ts';
import { countHeldMails, dropHeldMails, sendHeldMails } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { defineProblem, Problem } from '../../platform/problem/index.ts';
import {
  endRestoreCheck,
  findRestoreCheck,
  lockRestoreCheck,
  type RestoreCheck,
} from '../../platform/restore-check/index.ts';
import { listOpenPageAddresses } from '../../referrals/index.ts';
import { applyReport } from '../follow-up/apply-report.ts';
import { lockDelivery } from '../follow-up/follow-up-store.ts';
import { resolveHeldRows } from '../held/held-store.ts';
import { listHeldForCheck, releaseAfterCheck, replaceHolds } from '../held/restore-check-store.ts';
import { queueDeliveries } from '../model/deliver-jobs.ts';
import { lockDeliveries } from '../model/deliveries-store.ts';
import { untilOperatorDecides, untilRestoreChecked } from '../model/held-by.ts';
import { addUndelivered } from '../model/undelivered-store.ts';
import {
  type CheckForm,
  type Decision,
  findMissing,
  lostRecordKinds,
  lostRecords,
  readCheckForm,
  readDecisions,
  type WaitingMessage,
  wordsOfMails,
} from './decisions.ts';

export const nothingToCheck = defineProblem({
  type: 'nothing-to-check',
  status: 409,
  title: 'There is nothing to check',
  detail: 'Somebody else has confirmed already, or this site was not restored.',
});

const heldDetail =
  'An operator held this message after the site was restored. Send it again or mark it as resolved.';
const arrivedDetail = 'After the site was restored, an operator found that this message had arrived.';

/** What waits until an operator has checked: messages, the oldest first, and emails by their kind. */
async function listWaiting(
  db: Db,
  restoreCheck: RestoreCheck,
): Promise<Pick<CheckForm, 'messages' | 'mails'>> {
  const held = await listHeldForCheck(db, { by: untilRestoreChecked, before: restoreCheck.backupMadeAt });
  const messages = held.map(
    (each): WaitingMessage => ({
      ...each,
      group: each.createdAt <= restoreCheck.backupMadeAt ? 'backup' : 'since',
    }),
  );
  return { messages, mails: await countHeldMails(db, restoreCheck) };
}

/**
 * Applies what an operator decided about each message, once they have found out what was sent between the backup and the loss. If a decision
 * is missing, nothing changes.
 * @returns what is missing; undefined when it is done. @throws Problem `nothing-to-check`.
 */
export function confirmSent(
  deps: Pick<Platform, 'db' | 'clock' | 'secrets'>,
  { caller, ipAddress, body }: { caller: Caller; ipAddress: string; body: unknown },
): Promise<FormErrors | undefined> {
  const at = deps.clock.now();
  return inTransaction(deps.db, async (trx) => {
    const restoreCheck = await lockRestoreCheck(trx, 'end');
    if (!restoreCheck) throw new Problem(nothingToCheck);
    const form = readCheckForm(body, { ...(await listWaiting(trx, restoreCheck)), now: at });
    const missing = findMissing(form);
    if (missing) return missing;
    const decided = readDecisions(form);
    const byDecision = Object.groupBy(form.messages, ({ id }) => decided.messages.get(id)!);
    await applyMessageDecisions(trx, restoreCheck, byDecision, at);
    const emails = await applyMailDecisions(trx, deps, { restoreCheck, decided: decided.mails, at });
    await endRestoreCheck(trx, restoreCheck.id, { accountId: caller.accountId, at });
    const actor = actorOf(caller, ipAddress);
    for (const { id, referralId } of form.messages)
      await recordAudit(trx, {
        at,
        actor,
        action: 'delivery.checked-after-restore',
        subject: { type: 'referral', id: referralId },
        details: { delivery: id, decided: decisionWords[decided.messages.get(id)!] },
      });
    const details = {
      backup_made_at: restoreCheck.backupMadeAt,
      arrived: byDecision.arrived?.length ?? 0,
      sent: byDecision.send?.length ?? 0,
      kept_back: byDecision.hold?.length ?? 0,
      emails,
      // All of them: the form is refused otherwise. A later version may ask for others.
      recorded_again_or_none: lostRecordKinds.map((kind) => lostRecords[kind]),
    };
    await recordAudit(trx, { at, actor, action: 'site.checked_after_restore', details });
    return undefined;
  });
}

const decisionWords: Readonly<Record<Decision, string>> = {
  arrived: 'arrived before the restore',
  send: 'send now',
  hold: 'do not send',
};

/**
 * Messages that arrived are done. Those that are held are on the worklist. The others are sent, under the ids that they had, unless they also
 * wait for another reason.
 */
async function applyMessageDecisions(
  trx: Trx,
  { backupMadeAt }: RestoreCheck,
  { arrived = [], send = [], hold = [] }: Partial<Record<Decision, WaitingMessage[]>>,
  at: Date,
): Promise<void> {
  await lockDeliveries(trx, idsOf([...arrived, ...send, ...hold]));
  for (const { id } of arrived) {
    const delivery = await lockDelivery(trx, id);
    if (delivery) await applyReport(trx, delivery, { status: 'received', detail: arrivedDetail }, at);
  }
  const change = { to: untilOperatorDecides, detail: heldDetail, at };
  for (const deliveryId of await replaceHolds(trx, idsOf(hold), change))
    await addUndelivered(trx, { deliveryId, kind: 'held', reason: heldDetail, at });
  const released = await releaseAfterCheck(trx, idsOf(send), {
    by: [untilRestoreChecked, untilOperatorDecides],
    before: backupMadeAt,
    at,
  });
  await resolveHeldRows(trx, released, at);
  await queueDeliveries(trx, released);
}

const idsOf = (messages: readonly WaitingMessage[]): string[] => messages.map(({ id }) => id);

/** @returns in words what became of each kind. Somebody whose page has ended meanwhile gets no message. */
async function applyMailDecisions(
  trx: Trx,
  deps: Pick<Platform, 'secrets'>,
  {
    restoreCheck,
    decided,
    at,
  }: { restoreCheck: RestoreCheck; decided: ReturnType<typeof readDecisions>['mails']; at: Date },
): Promise<string[]> {
  const words: string[] = [];
  for (const [held, decision] of decided) {
    const when = held.wasInBackup ? 'from the backup' : 'made after the restore';
    if (decision === 'send') {
      const onlyTo = held.kind === 'person' ? await listOpenPageAddresses(trx) : undefined;
      const { sent, dropped } = await sendHeldMails(trx, deps, restoreCheck, { held, onlyTo, at });
      words.push(`${wordsOfMails(held)} ${when}: ${sent} sent${dropped > 0 ? `, ${dropped} dropped` : ''}`);
    } else {
      const dropped = await dropHeldMails(trx, restoreCheck, { held, at });
      words.push(`${wordsOfMails(held)} ${when}: ${dropped} dropped`);
    }
  }
  return words;
}

/** Whether the site is being checked after a restore, and what waits. */
export async function findCheck(
  db: Db,
): Promise<{ restoreCheck: RestoreCheck; waiting: Pick<CheckForm, 'messages' | 'mails'> } | undefined> {
  const restoreCheck = await findRestoreCheck(db);
  return restoreCheck && { restoreCheck, waiting: await listWaiting(db, restoreCheck) };
}
