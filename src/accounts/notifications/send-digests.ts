import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { type MailToPeople, mailPeople } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { listAccountsWithDigest, type TakenEntry, takeDigests } from './digests-store.ts';
import { notificationKinds, notificationRules } from './kinds.ts';
import { howToChoose, lineFor } from './referral-notifications.ts';

const batchSize = 100;

/** The `send-digests` job: each morning, one email to everybody who wants to be told of some news once a day. */
export async function sendDigests(deps: Platform): Promise<void> {
  for (;;) {
    const accounts = await listAccountsWithDigest(deps.db, { limit: batchSize });
    if (accounts.length === 0) return;
    await inTransaction(deps.db, (trx) => mailDigests(deps, trx, accounts));
  }
}

async function mailDigests(deps: Platform, trx: Trx, accounts: readonly string[]): Promise<void> {
  const byAccount = Map.groupBy(await takeDigests(trx, accounts), ({ accountId }) => accountId);
  const mails = [...byAccount.values()].map((entries) => composeDigest(deps.settings, entries));
  await mailPeople(trx, deps, ...mails);
}

/** The email names no person and no service. */
function composeDigest({ baseUrl }: Platform['settings'], entries: readonly TakenEntry[]): MailToPeople {
  const count = new Set(entries.map(({ referralId }) => referralId)).size;
  const sections = notificationKinds.flatMap((kind) => {
    const ofKind = entries.filter((entry) => entry.kind === kind);
    if (ofKind.length === 0) return [];
    const { one, several } = notificationRules[kind];
    const heading = ofKind.length === 1 ? one : several(ofKind.length);
    const lines = ofKind.map(({ referralId: id, reference }) => lineFor(baseUrl, kind, { id, reference }));
    return [`${heading}:\n${lines.join('\n')}`];
  });
  return {
    to: [entries[0]!.email],
    subject:
      count === 1 ? 'News of 1 referral since yesterday' : `News of ${count} referrals since yesterday`,
    paragraphs: [...sections, howToChoose(baseUrl)],
  };
}
