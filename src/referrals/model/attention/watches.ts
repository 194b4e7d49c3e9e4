import type { Caller } from '../../../accounts/index.ts';
import { mentionsCrisis } from '../../../library/index.ts';
import type { Trx } from '../../../platform/database/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import type { Settings } from '../../../platform/settings/index.ts';
import { nobody } from '../actors/authors.ts';
import { addWorkingTime, type WorkingDays } from '../due/working-time.ts';
import { isRiskToRead } from '../person/danger/risk.ts';
import type { Draft, Referral } from '../referral.ts';
import { setSeen } from '../referrals-store.ts';
import { otherSide, type Side } from '../status/state-machine.ts';
import {
  endWatchesOfReferral,
  type NamedFile,
  type newsKinds,
  startWatches,
  type Watch,
} from './watches-store.ts';

type WatchRules = WorkingDays & Pick<Settings, 'crisisPhrases'>;

/**
 * Whether a referral is watched until a person of the service has opened it: it is urgent, or somebody is at risk of harm, or its words
 * mention a crisis.
 */
export function mustBeOpenedSoon(
  { urgency, content }: Pick<Referral, 'urgency' | 'content'>,
  crisisPhrases: Settings['crisisPhrases'],
): boolean {
  return urgency === 'urgent' || isRiskToRead(content, crisisPhrases);
}

/**
 * When somebody is emailed of what nobody has seen; the same time passes before each further step. What changes in an
 * urgent referral, or says that somebody may come to harm, waits no longer than an urgent referral itself.
 */
export function whenToTell(
  workingDays: WorkingDays,
  kind: Watch['kind'],
  { urgency, risk = false }: { urgency: Referral['urgency']; risk?: boolean },
  at: Date,
): Date {
  if (kind === 'ended') return addWorkingTime(workingDays, at, { days: 5 });
  const isUrgent = kind === 'referral' || risk || (!isConversation(kind) && urgency === 'urgent');
  return addWorkingTime(workingDays, at, isUrgent ? { hours: 4 } : { days: 1 });
}

/** What the two sides say to each other has the pace of its own words, whatever the referral says. */
const isConversation = (kind: Watch['kind']) => kind === 'message' || kind === 'file';

/** Referrals that were sent and are urgent, or with a risk of harm, are watched until somebody of the service has seen them. */
export async function watchUntilOpened(
  trx: Trx,
  settings: WatchRules,
  referrals: readonly Referral[],
  at: Date,
): Promise<void> {
  const unseen = referrals.filter(
    (referral) =>
      referral.status === 'requested' &&
      referral.seenAt === null &&
      mustBeOpenedSoon(referral, settings.crisisPhrases),
  );
  await startWatches(
    trx,
    unseen.map((referral) => watchOf(settings, referral, referral.referrerAccountId, at)),
  );
}

/** A referral that has become urgent or dangerous is watched again, whatever its status, even if somebody saw it as routine. */
export async function watchAgain(
  trx: Trx,
  settings: WatchRules,
  referral: Referral,
  authorId: string,
  at: Date,
): Promise<void> {
  await startWatches(trx, [watchOf(settings, referral, authorId, at)]);
}

function watchOf(settings: WatchRules, { id, urgency, content }: Referral, authorId: string, at: Date) {
  const risk = isRiskToRead(content, settings.crisisPhrases);
  const dueAt = whenToTell(settings, 'referral', { urgency, risk }, at);
  return { id, kind: 'referral', referralId: id, side: 'provider', authorId, at, dueAt, risk } as const;
}

/** Until somebody of either side says whether the person has died, nothing is sent about the referral, so both are asked. */
export async function watchDeath(
  trx: Trx,
  settings: WorkingDays,
  { id: referralId, urgency }: Pick<Referral, 'id' | 'urgency'>,
  authorId: string,
  at: Date,
): Promise<void> {
  const dueAt = whenToTell(settings, 'death', { urgency }, at);
  const watch = { kind: 'death', referralId, authorId, at, dueAt } as const;
  const sides = ['provider', 'referrer'] as const;
  await startWatches(
    trx,
    sides.map((side) => ({ ...watch, id: newId(at.getTime()), side })),
  );
}

/** A person whom the service could not help is watched until the referrer's side has acted. */
export async function watchUnhelped(
  trx: Trx,
  settings: WorkingDays,
  // Nobody of the referrer’s side wrote anything: the column only needs an account.
  { id: referralId, urgency, referrerAccountId: authorId }: Referral,
  at: Date,
): Promise<void> {
  const dueAt = whenToTell(settings, 'ended', { urgency }, at);
  const id = newId(at.getTime());
  await startWatches(trx, [{ id, kind: 'ended', referralId, side: 'referrer', authorId, at, dueAt }]);
}

/**
 * A file is news like a message. The site cannot read it: if its name has words of a crisis, it is watched until somebody of the other side
 * has opened it.
 */
export async function watchFile(
  trx: Trx,
  settings: WatchRules,
  referral: Pick<Referral, 'id' | 'urgency' | 'content'>,
  { id, name: text, side, authorId }: NamedFile,
  at: Date,
): Promise<void> {
  const file = { id, kind: 'file', unseenBy: otherSide(side), authorId, at, text } as const;
  await watchUntilSeen(trx, settings, referral, file);
}

/** The files that come with a new referral are seen with it, unless the name of one has words of a crisis. */
export async function watchFilesOfDraft(
  trx: Trx,
  settings: WatchRules,
  referral: Pick<Referral, 'id' | 'urgency' | 'content'>,
  files: readonly NamedFile[],
  at: Date,
): Promise<void> {
  for (const file of files)
    if (mentionsCrisis(file.name, settings.crisisPhrases)) await watchFile(trx, settings, referral, file, at);
}

/** What somebody wrote with something else that they did, and who they are. */
type NewTexts = { by: Side; authorId: string | null; texts: readonly (string | undefined)[]; at: Date };

/**
 * Words of a crisis in an outcome, a reason, the note of a contact or the place of an appointment are watched until somebody of the other
 * side has opened the referral. @returns whether there are any
 */
export async function watchWords(
  trx: Trx,
  settings: WatchRules,
  referral: Pick<Referral, 'id' | 'urgency' | 'content'>,
  { by, authorId, texts, at }: NewTexts,
): Promise<boolean> {
  const text = texts.find((each) => each !== undefined && mentionsCrisis(each, settings.crisisPhrases));
  if (text === undefined) return false;
  await watchUntilSeen(trx, settings, referral, {
    id: newId(at.getTime()),
    kind: 'words',
    unseenBy: otherSide(by),
    authorId: authorId ?? nobody,
    at,
    text,
  });
  return true;
}

/** What was written or changed is watched until somebody of the side that has not seen it does. */
export async function watchUntilSeen(
  trx: Trx,
  settings: WatchRules,
  { id: referralId, urgency, content }: Pick<Referral, 'id' | 'urgency' | 'content'>,
  { id, kind, unseenBy: side, authorId, at, text }: WatchedItem,
): Promise<void> {
  const risk =
    (text !== undefined && mentionsCrisis(text, settings.crisisPhrases)) ||
    (!isConversation(kind) && isRiskToRead(content, settings.crisisPhrases));
  const dueAt = whenToTell(settings, kind, { urgency, risk }, at);
  await startWatches(trx, [{ id, kind, referralId, side, authorId, at, dueAt, risk }]);
}

type WatchedItem = {
  id: string;
  kind: (typeof newsKinds)[number];
  unseenBy: Side;
  authorId: string;
  at: Date;
  /** What was written, the name of the file, or why a referral was transferred; another correction has no words of its own. */
  text?: string;
};

/**
 * Notes that a person of the service sees a referral as it is now, or acts on it: that ends the watch of it and of its corrections, and
 * the first one is named. The person who made it, or corrected it, does not count, even if they work for the service too:
 * nobody else has seen it. A system does not count either.
 * @returns the referral with who has seen it
 */
export async function noteSeen<T extends Referral | Draft>(
  trx: Trx,
  caller: Caller,
  { referral, sides }: { referral: T; sides: readonly Side[] },
  at: Date,
): Promise<T> {
  if (referral.requested_at === null || caller.isSystem || !sides.includes('provider')) return referral;
  await endWatchesOfReferral(trx, referral.id, { sides: ['provider'], accountId: caller.accountId });
  if (referral.seenAt !== null || referral.referrerAccountId === caller.accountId) return referral;
  const isFirst = await setSeen(trx, referral.id, { name: caller.name, at, byLink: false });
  return isFirst ? { ...referral, seenAt: at, seenByName: caller.name } : referral;
}
