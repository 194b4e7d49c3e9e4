import type { Caller } from '../../../accounts/index.ts';
import { inRetriedTransaction, type Trx } from '../../../platform/database/index.ts';
import { type ExpectedVersion, lockVersionForSides } from '../../model/access/access.ts';
import {
  countUnreadFiles,
  countUnreadMessages,
  hasOpenedVersion,
} from '../../model/attention/readings-store.ts';
import type { ReferralDeps } from '../../model/deps.ts';
import { findLaterTexts } from '../../model/person/danger/later-texts-store.ts';
import { mustBeReadFirst } from '../../model/person/danger/risk.ts';
import type { PresentedReferral } from '../../model/presentation/present.ts';
import { type Draft, isSent, type Referral } from '../../model/referral.ts';
import { sidesAllowed } from '../../model/status/state-machine.ts';
import { applyActionOfCaller } from '../../progress/apply-action.ts';

/** Why a referral is accepted on its own page alone, and not together with others. */
export type OpenFirst = 'never-opened' | 'safety' | 'unread-message' | 'new-file';

/**
 * Accepts a referral that this person has read as it is now. People who accept many at once do not read them then, so one that they
 * have not opened, or that has a safety note or tells of a danger, is skipped.
 * @returns why it was skipped; undefined if it was accepted
 * @throws Problem `not-found`, `forbidden`, `version-stale`, `wrong-state`, `referral-restricted`, `referral-erased`
 */
export function acceptOpened(
  deps: ReferralDeps,
  caller: Caller,
  { ipAddress, ...expected }: ExpectedVersion & { ipAddress: string },
): Promise<OpenFirst | undefined> {
  const at = deps.clock.now();
  return inRetriedTransaction(deps.db, async (trx) => {
    const locked = await lockVersionForSides(trx, caller, expected, sidesAllowed('accept'));
    const why = await whyOpenFirst(trx, deps, caller, locked);
    if (why === undefined)
      await applyActionOfCaller(trx, deps, caller, locked, { action: 'accept', body: {}, ipAddress, at });
    return why;
  });
}

async function whyOpenFirst(
  trx: Trx,
  { settings }: ReferralDeps,
  { accountId }: Caller,
  referral: Referral | Draft,
): Promise<OpenFirst | undefined> {
  // If it cannot be accepted at all, `applyActionOfCaller` refuses it.
  if (!isSent(referral) || referral.status !== 'requested') return undefined;
  const { id, version, content } = referral;
  const laterTexts = await findLaterTexts(trx, referral);
  if (mustBeReadFirst(content, laterTexts, settings.crisisPhrases)) return 'safety';
  if (!(await hasOpenedVersion(trx, id, accountId, version))) return 'never-opened';
  if ((await countUnreadMessages(trx, [id], accountId)).has(id)) return 'unread-message';
  return (await countUnreadFiles(trx, [id], accountId)).has(id) ? 'new-file' : undefined;
}

/** Why a referral of a list is accepted on its own page alone, by what the reader of the list has read and may read of it. */
export function whyOpenListedFirst(
  referral: PresentedReferral,
  {
    isRead,
    hasUnread,
    hasNewFile,
    laterTexts,
    crisisPhrases,
  }: {
    isRead: boolean;
    hasUnread: boolean;
    hasNewFile: boolean;
    laterTexts: readonly string[];
    crisisPhrases: Parameters<typeof mustBeReadFirst>[2];
  },
): OpenFirst | undefined {
  const isUnsafe =
    'patient' in referral &&
    mustBeReadFirst(referral as Parameters<typeof mustBeReadFirst>[0], laterTexts, crisisPhrases);
  if (isUnsafe) return 'safety';
  if (!isRead) return 'never-opened';
  if (hasUnread) return 'unread-message';
  return hasNewFile ? 'new-file' : undefined;
}

/** What to do first with a skipped referral, for a line in its row. */
export const openFirstShort: Readonly<Record<OpenFirst, string>> = {
  'never-opened': 'Open it to accept it.',
  safety: 'Open it to accept it: safety note or danger.',
  'unread-message': 'Open it to accept it: new message.',
  'new-file': 'Open it to accept it: new file.',
};

/** What to do first with a skipped referral, after its name. */
export const openFirstWords: Readonly<Record<OpenFirst, string>> = {
  'never-opened': 'open it first, as you have not read it as it is now',
  safety: 'open it and accept it there, as it has a safety note or tells of a danger',
  'unread-message': 'open it first, as it has a message that you have not read',
  'new-file': 'open it first, as it has a file that you have not seen',
};
