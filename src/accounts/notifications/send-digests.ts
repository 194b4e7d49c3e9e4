import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { type MailToPeople, mailPeople } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { listAccountsWithDigest, type TakenEntry, takeDigests } from './digests-store.ts';
import { type NotificationKind, notificationKinds } from './kinds.ts';
import { howToChoose, linesFor, newsInWords } from './referral-notifications.ts';
import { headingWithUrgency } from './urgency.ts';

const batchSize = 100;

/** The judgements about a referral as it is now, which the room of referrals hands in. */
export type DigestRules = {
  /** An end, for example, may have been taken back. */
  isStillTrue(kind: NotificationKind, referral: TakenEntry): boolean;
  isStillUrgent(referral: TakenEntry): boolean;
  isStillDangerous(referral: TakenEntry, settings: Platform['settings']): boolean;
};

type EntryWithDangers = TakenEntry & { isUrgent: boolean; isDangerous: boolean };

/** The `send-digests` job: each morning, one email to everybody who wants to be told of some news once a day. */
export async function sendDigests(deps: Platform, rules: DigestRules): Promise<void> {
  for (;;) {
    const accounts = await listAccountsWithDigest(deps.db, { limit: batchSize });
    if (accounts.length === 0) return;
    await inTransaction(deps.db, (trx) => mailDigests(trx, deps, { accounts, rules }));
  }
}

async function mailDigests(
  trx: Trx,
  deps: Platform,
  { accounts, rules }: { accounts: readonly string[]; rules: DigestRules },
): Promise<void> {
  const entries = await takeDigests(trx, accounts);
  const stillTrue = entries.filter((entry) => rules.isStillTrue(entry.kind, entry));
  const withUrgency = stillTrue.map((entry) => ({
    ...entry,
    isUrgent: rules.isStillUrgent(entry),
    isDangerous: rules.isStillDangerous(entry, deps.settings),
  }));
  const byAccount = Map.groupBy(withUrgency, ({ accountId }) => accountId);
  const mails = [...byAccount.values()].map((entries) => composeDigest(deps.settings, entries));
  await mailPeople(trx, deps, 'digest', ...mails);
}

/** The email names no person and no service. */
function composeDigest(
  { baseUrl }: Platform['settings'],
  entries: readonly EntryWithDangers[],
): MailToPeople {
  const referrals = [...new Map(entries.map((entry) => [entry.id, entry])).values()];
  const count = referrals.length;
  const sections = notificationKinds.flatMap((kind) => {
    const ofKind = entries.filter((entry) => entry.kind === kind);
    if (ofKind.length === 0) return [];
    return [`${newsInWords(kind, ofKind)}:\n${linesFor(baseUrl, kind, ofKind)}`];
  });
  return {
    to: [entries[0]!.email],
    subject: headingWithUrgency(
      `News of ${count === 1 ? '1 referral' : `${count} referrals`} since yesterday`,
      referrals,
    ),
    paragraphs: [...sections, howToChoose(baseUrl)],
  };
}
