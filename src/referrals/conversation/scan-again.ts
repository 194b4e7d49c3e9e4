import { siteActor } from '../../audit/index.ts';
import { inRetriedTransaction, inTransaction, type Trx } from '../../platform/database/index.ts';
import { dayInWords } from '../../platform/html/index.ts';
import { mailPeople } from '../../platform/mail/index.ts';
import { scanFile } from '../../platform/outbound/index.ts';
import { siteAsHistoryActor } from '../model/actors/authors.ts';
import { addNotifications } from '../model/attention/notifications.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { type Draft, isSent, type Referral } from '../model/referral.ts';
import { lockReferral, updateContent } from '../model/referrals-store.ts';
import {
  type Attachment,
  findAttachment,
  findUnscannedFile,
  listAddressesOfReaders,
  readContent,
  setScanAnswered,
  setScanTried,
  type UnscannedFile,
} from './attachments-store.ts';
import { isEncrypted, recordScan } from './check-upload.ts';
import { virusFound } from './removal-reasons.ts';
import { removeFile } from './remove-attachment.ts';

/** How many files one run scans: each can take half a minute. */
const maxFilesAtOnce = 100;
/** After this number of files without an answer, the run ends: the scanner is away. */
const maxFailures = 3;

/**
 * The `scan-again` job: has the scanner look at files that were stored while it was away, or before the site had one. A file with a
 * virus is removed; the side that attached it, and who opened it, are told.
 */
export async function scanAgain(deps: ReferralDeps): Promise<void> {
  const { db, clock, settings } = deps;
  if (settings.scanUrl === undefined) return;
  const failedIds: string[] = [];
  for (let count = 0; count < maxFilesAtOnce && failedIds.length < maxFailures; count += 1) {
    const file = await findUnscannedFile(db, failedIds);
    const content = file && (await readContent(db, file.id));
    if (!file || !content) return;
    const result = await scanFile(settings, content);
    const at = clock.now();
    if (result === 'not-scanned') failedIds.push(file.id);
    if (result === 'infected') await removeInfectedFile(deps, file, at);
    await inTransaction(db, async (trx) => {
      await recordScan(trx, result, at);
      if (result === 'not-scanned') await setScanTried(trx, file.id, at);
      if (result === 'clean') await setScanAnswered(trx, file.id, { scanned: !isEncrypted(content), at });
    });
  }
}

/** Nobody can open the file from then on. On legal hold its content stays in the database. */
function removeInfectedFile(deps: ReferralDeps, { id, referralId }: UnscannedFile, at: Date): Promise<void> {
  return inRetriedTransaction(deps.db, async (trx) => {
    const referral = await lockReferral(trx, referralId);
    const file = referral && (await findAttachment(trx, referral.id, id));
    if (!referral || !file) return;
    const reason = { code: virusFound, text: '' } as const;
    const removal = { at, byName: siteActor.name, byOrganisation: null, reason };
    const audited = { actor: siteActor, action: 'referral.file_blocked' } as const;
    const removed = await removeFile(trx, deps, { referral, attachmentId: id }, removal, audited);
    if (!removed) return;
    await tellOfVirus(trx, deps, { referral, file, wasOpened: removed.wasOpened, at });
  });
}

async function tellOfVirus(
  trx: Trx,
  deps: ReferralDeps,
  {
    referral,
    file,
    wasOpened,
    at,
  }: { referral: Referral | Draft; file: Attachment; wasOpened: boolean; at: Date },
): Promise<void> {
  const openedBy = await listAddressesOfReaders(trx, referral.id, file);
  await mailPeople(trx, deps, 'news', {
    to: openedBy,
    subject: `A file that you opened has a virus: ${referral.reference}`,
    paragraphs: [
      `A file that you opened has a virus: ${referral.reference}.`,
      'The virus scanner could not look at it when it was attached, and has done so now. Nobody can open it any more. Tell your IT team today that you opened it, and delete your copies.',
      `${deps.settings.baseUrl}/referrals/${referral.id}`,
    ],
  });
  const otherSide = file.side === 'provider' ? 'referrer' : 'provider';
  const news = { referralId: referral.id, kind: 'file-with-virus', actorId: null, at } as const;
  if (!isSent(referral)) return;
  // Somebody may have opened it by a link, without an account.
  const wasOpenedByLink = wasOpened && openedBy.length === 0;
  await addNotifications(trx, [
    { ...news, side: file.side },
    ...(wasOpenedByLink ? [{ ...news, side: otherSide } as const] : []),
  ]);
  const changes = [
    { field: 'attachments', from: `A file of ${dayInWords(file.at)}`, to: 'Removed: it has a virus' },
  ];
  const changed = await updateContent(trx, referral, referral, {
    details: { kind: 'file-with-virus', changes },
    actor: siteAsHistoryActor,
    at,
  });
  await deps.roomsAbove.onFileRemoved(trx, { referral: changed, attachmentId: file.id, at });
}
