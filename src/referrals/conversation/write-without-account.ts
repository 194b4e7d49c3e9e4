import type { Actor } from '../../audit/index.ts';
import type { Trx } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids/index.ts';
import { addJobs } from '../../platform/jobs/index.ts';
import { type Author, nobody } from '../model/actors/authors.ts';
import { actorByLink, historyActorByLink, type LinkHolder } from '../model/actors/link-holder.ts';
import { deletePrompts } from '../model/attention/prompts-store.ts';
import type { ReferralDeps } from '../model/deps.ts';
import type { Referral } from '../model/referral.ts';
import { lockReferral } from '../model/referrals-store.ts';
import { requireUsable } from '../model/status/usable.ts';
import { maxFiles, storeFile } from './attach-file.ts';
import { listAttachments, readInChunks } from './attachments-store.ts';
import type { UploadedFile } from './check-upload.ts';
import { storeMessage } from './messages.ts';
import { listMessages } from './messages-store.ts';

/**
 * On a test site the simulator writes in place of the service’s staff, and may attach a file.
 * @throws Problem `referral-restricted`, `referral-erased`.
 */
export async function writeAsService(
  trx: Trx,
  deps: ReferralDeps,
  referralId: string,
  { text, file }: { text: string; file?: UploadedFile | undefined },
  actor: Actor,
): Promise<void> {
  const referral = await lockReferral(trx, referralId);
  if (!referral || referral.requested_at === null) return;
  requireUsable(referral);
  const at = deps.clock.now();
  const author = {
    authorId: nobody,
    authorName: actor.name,
    authorOrganisation: null,
    authorOrganisationId: null,
  };
  if (file)
    await storeFile(trx, deps, referral, file, { ...author, side: 'provider', at, scanned: false, actor });
  const message = { id: newId(at.getTime()), at, side: 'provider' as const, ...author, text };
  await storeMessage(trx, deps, { referral, message, isNewsOfPerson: true, actor });
}

function authorByLink(holder: LinkHolder, referral: Pick<Referral, 'service'>): Author {
  const { name, organisation } = historyActorByLink(holder, referral);
  return {
    authorId: nobody,
    authorName: name,
    authorOrganisation: organisation,
    authorOrganisationId: null,
  };
}

/** Writes to the referrer, for somebody who answers by a link. The same text twice is a second click. */
export async function writeByLink(
  trx: Trx,
  deps: ReferralDeps,
  referral: Referral,
  { text, asksToRing = false, at }: { text: string; asksToRing?: boolean; at: Date },
  holder: LinkHolder,
): Promise<void> {
  const author = authorByLink(holder, referral);
  const [last] = await listMessages(trx, referral.id, { limit: 1 });
  if (last?.side === 'provider' && last.authorName === author.authorName && last.text === text) return;
  const message = { id: newId(at.getTime()), at, side: 'provider' as const, ...author, text, asksToRing };
  const actor = actorByLink(holder);
  await storeMessage(trx, deps, { referral, message, isNewsOfPerson: !asksToRing, actor });
}

/**
 * Attaches a file, for somebody who answers by a link. The same file of the same person twice is a second click.
 * @throws Problem `unprocessable`, `too-large`
 */
export async function attachByLink(
  trx: Trx,
  deps: ReferralDeps,
  referral: Referral,
  { file, scanned, at }: { file: UploadedFile; scanned: boolean; at: Date },
  holder: LinkHolder,
): Promise<void> {
  const author = authorByLink(holder, referral);
  for (const earlier of await listAttachments(trx, referral.id, { limit: maxFiles }))
    if (
      earlier.removedAt === null &&
      earlier.authorName === author.authorName &&
      earlier.size === file.content.length
    ) {
      const content = await Array.fromAsync(readInChunks(trx, earlier));
      if (Buffer.concat(content).equals(file.content)) return;
    }
  await storeFile(trx, deps, referral, file, {
    ...author,
    side: 'provider',
    at,
    scanned,
    actor: actorByLink(holder),
  });
}

/**
 * Asks the referrer to ring the service. It is a message, and a prompt that one person of the referrer’s side has to deal with. It is no
 * news of the person, so the next date stays.
 */
export async function askToRing(
  trx: Trx,
  deps: ReferralDeps,
  referral: Referral,
  { telephone, when, at }: { telephone: string; when: string; at: Date },
  holder: LinkHolder,
): Promise<void> {
  const text = `Please ring us about this referral: ${telephone}. A good time: ${when}`;
  await writeByLink(trx, deps, referral, { text, asksToRing: true, at }, holder);
  // A request that was dealt with before would hide this one.
  await deletePrompts(trx, referral.id, ['service-asks-to-ring']);
  await addJobs(trx, 'update-prompts', [{}]);
}
