import { actorOf, type Caller } from '../../../../accounts/index.ts';
import { recordAudit } from '../../../../audit/index.ts';
import {
  findPractice,
  findServiceForReferral,
  hasClosed,
  listSensitiveServices,
} from '../../../../library/index.ts';
import { inTransaction, type Trx } from '../../../../platform/database/index.ts';
import { sendsTexts } from '../../../../platform/texts/index.ts';
import { caseworkTeamOf } from '../../../casework/casework.ts';
import {
  type Assignment,
  findOwner,
  findReminder,
  listAssignments,
  listColleaguesFor,
  listNotes,
  type Note,
  type ReferralOwner,
} from '../../../casework/casework-store.ts';
import { type Attachment, listAttachments } from '../../../conversation/attachments-store.ts';
import { noteFilesSeen, noteMessagesSeen } from '../../../conversation/messages.ts';
import { listMessages, type Message } from '../../../conversation/messages-store.ts';
import { listWithQuestion } from '../../../conversation/questions-store.ts';
import { type LifeChange, listLifeChanges } from '../../../corrections/life-changes-store.ts';
import { findReportRow } from '../../../endings/deaths-store.ts';
import { listOthersToConfirm, type NamedReferralToConfirm } from '../../../endings/others-to-confirm.ts';
import { filterReportedDead } from '../../../endings/reported-deaths.ts';
import { type DeliveryAttempt, listAttempts } from '../../../listing/attempts-store.ts';
import { type ReadReferral, readReferralInTransaction } from '../../../listing/read-referral.ts';
import { staffOfService } from '../../../model/access/hide-sensitive-services.ts';
import { hideWords, type MaybeHidden } from '../../../model/access/hide-words.ts';
import { mayUndoDeath, mayUndoDeathAsOperator } from '../../../model/access/may-undo-death.ts';
import { listOpenings, type Opening } from '../../../model/access/openings-store.ts';
import { writingSide } from '../../../model/access/sides.ts';
import { findStaff } from '../../../model/actors/people-at-work.ts';
import { hasOpenRisk } from '../../../model/attention/prompts.ts';
import {
  countUnreadFiles,
  countUnreadMessages,
  listChangedFields,
  listMessageReaders,
  type MessageReader,
  markRead,
} from '../../../model/attention/readings-store.ts';
import type { ReferralDeps } from '../../../model/deps.ts';
import { londonDate } from '../../../model/due/dates.ts';
import { findLaterTexts } from '../../../model/person/danger/later-texts-store.ts';
import { findServiceTelephone, isAreaUnchecked } from '../../../model/person/fit.ts';
import { findOpenWishToStop } from '../../../model/person-page/person-pages-store.ts';
import type { PresentedReferral } from '../../../model/presentation/present.ts';
import { isUndelivered } from '../../../model/presentation/whose-turn.ts';
import { isSent, openStatuses } from '../../../model/referral.ts';
import { listCancelledByReferrer } from '../../../model/referrals-store.ts';
import { isUsable } from '../../../model/status/usable.ts';
import { type EndingToCheck, findEndingToCheck } from '../../../progress/check-ending.ts';
import { type Erasure, findErasure } from '../../../record-keeping/erasure/find-erasure.ts';
import { listRestrictions, type Restriction } from '../../../record-keeping/records-store.ts';
import { readWorryingScores, type WorryingScores } from './worrying-scores.ts';

type OwnCasework = {
  owner: (ReferralOwner & { isReader: boolean }) | undefined;
  colleagues: { id: string; name: string }[];
  assignments: Assignment[];
  notes: Note[];
  /** The day of the reader's reminder. */
  reminder: string | undefined;
};

/** Everything on the page of a referral. What the reader may not see is empty. */
export type FullReferral = ReadReferral & {
  now: Date;
  /** The day in London. */
  today: string;
  /** Oldest first, as a conversation is read. */
  messages: Message[];
  moreMessages: boolean;
  unread: number;
  /** The files that this person sees for the first time. */
  newFiles: number;
  /** The other side has asked the reader's side something, and nobody has answered. */
  hasQuestion: boolean;
  isCancelledByReferrer: boolean;
  /** When the person said that they no longer want this; undefined once somebody of the referrer’s side has dealt with it. */
  wishToStopAt: Date | undefined;
  worryingScores: WorryingScores | undefined;
  /** What others have changed since the reader last looked, by its name in the API. */
  changedFields: string[];
  /** Who has read the messages, and up to which. */
  readers: MessageReader[];
  attachments: Attachment[];
  /** False for those who referred, where nobody at the service has an account. */
  canServiceOpenFiles: boolean;
  /** The newest attempts to tell somebody. */
  attempts: DeliveryAttempt[];
  openings: Opening[];
  /** By whom and why its content was erased. */
  erasure: Erasure | undefined;
  /** When it was restricted, and until when. */
  restrictions: Restriction[];
  /** What the sides told each other of the person's life, newest first. */
  lifeChanges: LifeChange[];
  /** Whether the reader may take back what was told of the person’s death, on a referral for which it was confirmed. */
  canUndoConfirmedDeath: boolean;
  /** The reader’s organisation was told, of this referral or another, that the person has died. */
  isKnownDead: boolean;
  /** An ending by link that the referrer can still say was a mistake. */
  endingToCheck: EndingToCheck | null;
  isSensitive: boolean;
  sendsPersonPages: boolean;
  sendsTexts: boolean;
  /** Those of the site, which are added to the words of a crisis that come with Onward. */
  crisisPhrases: readonly string[] | undefined;
  /** What was written beside the referral’s fields, for the rules of danger. */
  laterTexts: readonly string[];
  /** Other referrals for which the reader may confirm the same death. */
  othersToConfirm: NamedReferralToConfirm[];
  /** What the reader's side keeps to itself; undefined for those who may not act. */
  own: OwnCasework | undefined;
  /** The day on which the GP practice closed; null if it is open. */
  practiceClosedOn: string | null;
  practiceTelephone: string | null;
  /** Where the reader is asked to ring the service. */
  serviceTelephone: string | undefined;
  /** Nobody has checked that the service covers the person’s postcode, because this site does not know it. */
  isAreaUnchecked: boolean;
};

const maxShown = 100;

/**
 * Reads a referral with its messages, files and openings. Its own page shows all of that, so it counts as seen by this person; a page
 * with a form shows a part of it.
 * @throws Problem `not-found`.
 */
export async function readFullReferral(
  deps: ReferralDeps,
  caller: Caller,
  id: string,
  ipAddress: string,
  shows: 'all' | 'part' = 'part',
): Promise<FullReferral> {
  const shownToSomebody = shows === 'all';
  return inTransaction(deps.db, async (trx) => {
    const read = await readReferralInTransaction(trx, deps, caller, id, ipAddress, { shownToSomebody });
    const { referral, sides } = read;
    const written = await readWritten(trx, caller, read);
    const isNew = shownToSomebody
      ? await noteSeenAndRead(trx, deps, caller, { read, written, ipAddress })
      : { unread: 0, newFiles: 0, changedFields: [] };
    const now = deps.clock.now();
    return {
      ...read,
      now,
      today: londonDate(now),
      crisisPhrases: deps.settings.crisisPhrases,
      sendsPersonPages: deps.settings.personPages,
      sendsTexts: sendsTexts(deps.settings),
      isSensitive: (await listSensitiveServices(trx)).some((each) => each === referral.service_id),
      isCancelledByReferrer: (await listCancelledByReferrer(trx, [referral.id])).has(referral.id),
      wishToStopAt: canReadContent(read) ? await findOpenWishToStop(trx, referral.id) : undefined,
      laterTexts: await findLaterTexts(trx, referral),
      messages: written.messages.toReversed(),
      moreMessages: written.moreMessages,
      lifeChanges: written.lifeChanges,
      attachments: withOpeners(read, written.attachments),
      ...isNew,
      worryingScores: canReadContent(read) ? await worryingScoresOf(trx, read) : undefined,
      hasQuestion: canReadContent(read) && (await hasOpenQuestion(trx, read)),
      readers: canReadContent(read) ? await readersOf(trx, read) : [],
      canServiceOpenFiles: await canServiceOpenFiles(trx, read, now),
      own: await ownCasework(trx, caller, read),
      ...(await readDeath(trx, deps, caller, read)),
      endingToCheck: sides.includes('referrer') ? await findEndingToCheck(trx, deps, referral) : null,
      ...(await readPractice(trx, read, now)),
      serviceTelephone: await findNumberToRing(trx, read, now),
      isAreaUnchecked: canReadContent(read) && (await isAreaUncheckedOf(trx, read)),
      attempts: await attemptsOf(trx, read),
      restrictions: await restrictionsOf(trx, read),
      erasure:
        referral.erasedAt === null
          ? undefined
          : await findErasure(trx, referral.id, { isOperator: sides.length === 0 }),
      openings:
        sides.includes('referrer') || sides.length === 0
          ? await listOpenings(trx, referral.id, { limit: maxShown })
          : [],
    };
  });
}

/** An operator may read what a referral says only once they gave a reason. */
function canReadContent({ referral, sides, gaveReason }: ReadReferral): boolean {
  return isUsable(referral) && (sides.length > 0 || gaveReason);
}

/** What people wrote and attached, the newest first, with the words hidden that this reader may not read. */
type Correspondence = {
  messages: Message[];
  moreMessages: boolean;
  attachments: MaybeHidden<Attachment>[];
  lifeChanges: LifeChange[];
};

async function readWritten(trx: Trx, caller: Caller, read: ReadReferral): Promise<Correspondence> {
  const { referral, isServiceHidden } = read;
  if (!canReadContent(read)) return { messages: [], moreMessages: false, attachments: [], lifeChanges: [] };
  const hide = <T extends object>(items: T[]) => hideWords(trx, { caller, referral, isServiceHidden }, items);
  const newest = await listMessages(trx, referral.id, { limit: maxShown + 1 });
  return {
    messages: await hide(newest.slice(0, maxShown)),
    moreMessages: newest.length > maxShown,
    attachments: await hide(await listAttachments(trx, referral.id, { limit: maxShown })),
    lifeChanges: isSent(referral) ? await hide(await listLifeChanges(trx, referral.id)) : [],
  };
}

/** What the reader may do about a report that the person has died, here and on their other referrals. */
async function readDeath(
  trx: Trx,
  deps: ReferralDeps,
  caller: Caller,
  read: ReadReferral,
): Promise<Pick<FullReferral, 'othersToConfirm' | 'canUndoConfirmedDeath' | 'isKnownDead'>> {
  const { referral, sides } = read;
  const asksIfKnownDead = sides.includes('referrer') && isSent(referral) && isUsable(referral);
  return {
    othersToConfirm:
      canReadContent(read) && sides.length > 0 ? await listOthersToConfirm(trx, caller, referral.id) : [],
    canUndoConfirmedDeath: canReadContent(read) && (await mayUndoConfirmed(trx, caller, read)),
    isKnownDead:
      asksIfKnownDead && (await filterReportedDead(trx, deps, caller, [referral.content.patient])).size > 0,
  };
}

async function readPractice(
  trx: Trx,
  { referral }: ReadReferral,
  now: Date,
): Promise<Pick<FullReferral, 'practiceClosedOn' | 'practiceTelephone'>> {
  const code = referral.gp_practice?.ods_code;
  const practice = code === undefined ? undefined : await findPractice(trx, code);
  return {
    practiceClosedOn: practice && hasClosed(practice, now) ? practice.closedOn : null,
    practiceTelephone: practice?.phone ?? null,
  };
}

/** Whether it is overdue and nobody of the service has opened it. The referrer then rings, because a message would not be read either. */
export function isUnopenedAndLate({
  status,
  seen,
  overdue,
}: Pick<PresentedReferral, 'status' | 'seen' | 'overdue'>): boolean {
  return overdue && status === 'requested' && seen === null;
}

/** Only what this reader may read: a colleague from whom the service is hidden sees no score of it. */
async function worryingScoresOf(
  trx: Trx,
  { presented, history }: ReadReferral,
): Promise<WorryingScores | undefined> {
  const taken = 'measures' in presented ? (presented.measures ?? []) : [];
  return readWorryingScores(trx, presented.id, taken, history);
}

/** None where the service is hidden from the reader: what they are shown then has no service. */
async function findNumberToRing(
  trx: Trx,
  { presented, sides }: ReadReferral,
  now: Date,
): Promise<string | undefined> {
  const { service_id } = presented;
  const isAskedToRing =
    hasOpenRisk(presented) ||
    presented.prompts.some(({ kind }) => kind === 'service-asks-to-ring') ||
    isUnopenedAndLate(presented) ||
    isUndelivered(presented, sides, now);
  return service_id !== null && isAskedToRing ? findServiceTelephone(trx, service_id) : undefined;
}

/** Not said of an address that is hidden from the reader: only the service’s staff know it. */
async function isAreaUncheckedOf(
  trx: Trx,
  { referral, isServiceHidden, isAddressHidden }: ReadReferral,
): Promise<boolean> {
  if (isServiceHidden || isAddressHidden || !isSent(referral) || !openStatuses.includes(referral.status))
    return false;
  const service = await findServiceForReferral(trx, referral.service_id);
  return service !== undefined && isAreaUnchecked(trx, service, referral.content.patient.address.postcode);
}

/** The person who was told at a sensitive service would show which it is. */
async function restrictionsOf(trx: Trx, { referral, isServiceHidden }: ReadReferral): Promise<Restriction[]> {
  const restrictions = await listRestrictions(trx, referral.id);
  if (!isServiceHidden) return restrictions;
  return restrictions.map((each) => ({ ...each, toldWho: null, toldAt: null }));
}

async function hasOpenQuestion(trx: Trx, { referral, sides }: ReadReferral): Promise<boolean> {
  const side = writingSide(sides);
  return side !== undefined && (await listWithQuestion(trx, [referral.id], [side])).has(referral.id);
}

/** A colleague from whom the service is hidden sees none of it: notes may name the service. */
async function ownCasework(
  trx: Trx,
  caller: Caller,
  { referral, sides, isServiceHidden }: ReadReferral,
): Promise<OwnCasework | undefined> {
  if (sides.length === 0 || !isUsable(referral) || isServiceHidden) return undefined;
  const team = caseworkTeamOf(caller);
  const owner = await findOwner(trx, referral.id, sides, team);
  return {
    owner: owner && { ...owner, isReader: owner.id === caller.accountId },
    colleagues: await listColleaguesFor(trx, sides, team),
    assignments: await listAssignments(trx, referral.id, team),
    notes: await listNotes(trx, referral.id, team),
    reminder: await findReminder(trx, referral.id, caller.accountId),
  };
}

async function mayUndoConfirmed(
  trx: Trx,
  caller: Caller,
  { referral, isServiceHidden }: ReadReferral,
): Promise<boolean> {
  const report = await findReportRow(trx, referral.id);
  if (!report?.confirmedAt) return false;
  if (mayUndoDeathAsOperator(caller)) return true;
  return mayUndoDeath(caller, referral, report) && !isServiceHidden;
}

/** Where the service is hidden from the reader, its staff are not named. */
async function readersOf(trx: Trx, { referral, isServiceHidden }: ReadReferral): Promise<MessageReader[]> {
  const readers = await listMessageReaders(trx, referral.id);
  if (!isServiceHidden) return readers;
  return readers.map((reader) => (reader.side === 'provider' ? { ...reader, name: staffOfService } : reader));
}

/** A code that opens the referral by the link of an email opens no file. */
async function canServiceOpenFiles(
  trx: Trx,
  { referral, sides, isServiceHidden }: ReadReferral,
  now: Date,
): Promise<boolean> {
  if (!sides.includes('referrer') || isServiceHidden || !isSent(referral)) return true;
  const { organization_id: id } = referral.service;
  return id !== null && (await findStaff(trx, [id], now))(id).hasPeople;
}

/** Where the service is hidden from the reader, its staff are not named. */
function withOpeners<File extends Attachment>({ isServiceHidden }: ReadReferral, files: File[]): File[] {
  if (!isServiceHidden) return files;
  return files.map((file) =>
    file.side === 'referrer' && file.openedByName !== null ? { ...file, openedByName: staffOfService } : file,
  );
}

/** How a sensitive service is reached would tell which it is. */
async function attemptsOf(trx: Trx, { referral, isServiceHidden }: ReadReferral): Promise<DeliveryAttempt[]> {
  const attempts = await listAttempts(trx, referral.id, maxShown);
  if (!isServiceHidden) return attempts;
  return attempts.map((each) => (each.leg === 'service' ? { ...each, channel: '' } : each));
}

type ReferralReading = { read: ReadReferral; written: Correspondence; ipAddress: string };

/** Notes what this person is shown now. @returns what of it is new to them */
async function noteSeenAndRead(
  trx: Trx,
  deps: ReferralDeps,
  caller: Caller,
  {
    read: { referral, sides, isServiceHidden },
    written: { messages, attachments },
    ipAddress,
  }: ReferralReading,
): Promise<Pick<FullReferral, 'unread' | 'newFiles' | 'changedFields'>> {
  if (messages.length > 0)
    await recordAudit(trx, {
      at: deps.clock.now(),
      actor: actorOf(caller, ipAddress),
      action: 'referral.messages_read',
      subject: { type: 'referral', id: referral.id },
    });
  if (sides.length === 0 || !isUsable(referral)) return { unread: 0, newFiles: 0, changedFields: [] };
  const unread = await countUnreadMessages(trx, [referral.id], caller.accountId);
  const newFiles = await countUnreadFiles(trx, [referral.id], caller.accountId);
  const changed = await listChangedFields(trx, [referral.id], caller.accountId);
  await noteMessagesSeen(trx, caller, { referral, sides }, messages);
  await noteFilesSeen(trx, caller, { referral, sides }, attachments);
  // A colleague from whom the service is hidden has not seen what it wrote or changed.
  if (!isServiceHidden)
    await markRead(trx, referral.id, caller.accountId, {
      lastMessageId: messages[0]?.id ?? null,
      lastAttachmentId: attachments[0]?.id ?? null,
      version: referral.version,
    });
  return {
    unread: unread.get(referral.id) ?? 0,
    newFiles: newFiles.get(referral.id) ?? 0,
    changedFields: changed.get(referral.id) ?? [],
  };
}
