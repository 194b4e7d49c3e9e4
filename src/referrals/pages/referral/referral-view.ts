import { actorOf, type Caller } from '../../../accounts/index.ts';
import { recordAudit } from '../../../audit/index.ts';
import { findPractice, hasClosed, listSensitiveServices } from '../../../library/index.ts';
import { inTransaction, type Trx } from '../../../platform/database/index.ts';
import { dayInWords, momentInWords } from '../../../platform/html/index.ts';
import { type Attachment, listAttachments } from '../../conversation/attachments-store.ts';
import { noteMessagesShown } from '../../conversation/messages.ts';
import {
  countUnread,
  listChangedFields,
  listMessages,
  type Message,
  markRead,
} from '../../conversation/messages-store.ts';
import { type LifeChange, listChanges } from '../../corrections/changes-store.ts';
import { findReport } from '../../endings/deaths-store.ts';
import { listOthersToConfirm, type ReferralToConfirm } from '../../endings/end-with-death.ts';
import { type ReadReferral, readReferralInTransaction } from '../../listing/read-referral.ts';
import { hideStaff, isServiceHidden } from '../../model/access/hidden-services.ts';
import { listOpenings, type Opening } from '../../model/access/openings-store.ts';
import type { DeliveryStatus, ReferralDeps } from '../../model/deps.ts';
import type { WorkingDays } from '../../model/due/working-time.ts';
import { whoAnsweredGpActions } from '../../model/gp-actions.ts';
import { measures } from '../../model/measures.ts';
import { isRiskToRead, riskInWords } from '../../model/person/risk.ts';
import {
  agreementInWords,
  contactNotAsked,
  hidesOnline,
  needsCareToContact,
  safeContactInWords,
} from '../../model/person/safe-contact.ts';
import type { PresentedReferral } from '../../model/present.ts';
import { promptWords } from '../../model/prompts.ts';
import {
  isSent,
  isUsable,
  type Outcome,
  openStatuses,
  type ReferralStatus,
  type StatusReason,
  todayIn,
} from '../../model/referral.ts';
import { actionsFor, needsOtherHelp } from '../../model/state-machine.ts';
import type { HistoryLine } from '../../model/store.ts';
import {
  actionWords,
  draftActionWords,
  nameOfService,
  nextStepWords,
  outcomeWords,
  reasonWords,
  restrictedServiceName,
  settleDeathBy,
  statusWords,
  whoseTurn,
} from '../../model/words.ts';
import { patientName } from '../lists/list-page.ts';
import { changeInWords, fieldInWords } from './changes-in-words.ts';

/** What the page of a referral shows, in words. */
export function referralView(settings: WorkingDays, full: FullReferral) {
  const { presented, referral, sides, opened, history } = full;
  const { status, status_reason: reason } = presented;
  const outcome = 'outcome' in presented ? presented.outcome : null;
  const usable = isUsable(referral);
  const isReferrer = sides.includes('referrer');
  const isHidden = presented.service?.name === restrictedServiceName;
  const onASide = usable && sides.length > 0;
  // A colleague from whom the service is hidden gives a reason first.
  const mayAct = onASide && !isHidden;
  const isOpen = isSent(referral) && openStatuses.includes(referral.status);
  return {
    ...full,
    referral: presented,
    canRead: usable && (sides.length > 0 || opened),
    isOperator: sides.length === 0,
    isServiceHidden: isHidden,
    isReferrer,
    isDraft: status === 'draft',
    side: sides[0],
    name: patientName(presented),
    status: statusWords[status],
    turn: whoseTurn(settings, presented, sides, full.today),
    changedFields: full.changedFields.map(fieldInWords),
    prompts: presented.prompts.map((prompt) => ({
      ...prompt,
      ...promptWords[prompt.kind],
      lookedAfterBy: lookedAfterBy(prompt),
      // A death is settled by its own buttons.
      mayDismiss:
        prompt.kind !== 'death-reported' &&
        (sides.length === 0 || sides.some((side) => side === prompt.side)),
    })),
    actions: mayAct ? actionsFor(referral, sides) : [],
    actionWords: status === 'draft' ? draftActionWords : actionWords,
    canMarkResolved:
      usable &&
      isReferrer &&
      needsOtherHelp(referral) &&
      !(referral.rerouted_to || referral.resolvedAt || referral.referred_again),
    // The page to re-route leaves out the services that were tried.
    canReroute: usable && isReferrer && needsOtherHelp(referral) && !referral.rerouted_to && !isHidden,
    canAttach: mayAct && status !== 'entered-in-error',
    canWrite: mayAct && referral.requested_at !== null && status !== 'entered-in-error',
    safeContact: {
      text: safeContactInWords(referral.content.contact) ?? (isSent(referral) ? contactNotAsked : undefined),
      needsCare: needsCareToContact(referral.content.contact),
    },
    isHiddenOnline: full.isSensitive || hidesOnline(referral.content),
    risk: {
      words: isSent(referral)
        ? riskInWords(referral.content, { day: momentSaid, crisisPhrases: full.crisisPhrases })
        : [],
      isToRead: isSent(referral) && isRiskToRead(referral.content, full.crisisPhrases),
    },
    agreement:
      isSent(referral) &&
      referral.content.agreement &&
      agreementInWords(referral.content.agreement, dayInWords),
    canUndoDeath: onASide && full.isDeathConfirmed,
    canChange: mayAct && isOpen,
    canReportDeath: onASide && isOpen,
    canChangeAgreement: onASide && isSent(referral) && status !== 'entered-in-error',
    lifeChanges: full.lifeChanges.map((change) => ({
      ...change,
      mayConfirm: mayAct && change.confirmedAt === null && sides.some((side) => side !== change.side),
    })),
    settleDeathBy: settleDeathBy(settings, presented),
    sharingWithdrawn: isSharingWithdrawn(presented, history),
    remindedAt: referral.remindedAt,
    rejectionAt: status === 'requested' && usable ? referral.rejectionAt : null,
    nextStep: nextStepWords[status],
    seen: seenInWords(presented),
    reason: reason && reasonInWords(reason),
    outcome: outcome && outcomeInWords(outcome),
    gp:
      'gp_actions' in presented
        ? gpActionsInWords(presented, referral, full.practiceClosedOn !== null)
        : undefined,
    deliveryLines: describeDeliveries(presented),
    history: history.map((line) => ({
      ...line,
      happened: happenedInWords(line),
      changes: (line.details?.changes ?? []).map(changeInWords),
      reason: line.reason && reasonInWords(line.reason),
    })),
  };
}

function lookedAfterBy({ owner, side }: PresentedReferral['prompts'][number]): string {
  if (owner) return `${owner.name} is responsible for this`;
  return side === 'operators'
    ? 'The operators are responsible for this'
    : 'Nobody at the organisation can sign in now, so the operators are responsible for this';
}

/** The service may have spoken with the practice until then, so it must read this before anything else. */
function isSharingWithdrawn(presented: PresentedReferral, history: readonly HistoryLine[]): boolean {
  const changes = history.flatMap(({ details }) => details?.changes ?? []);
  const last = changes.findLast(({ field }) => field === 'consent.share_with_gp');
  return 'consent' in presented && presented.consent.share_with_gp === false && last?.to === false;
}

function momentSaid(moment: string): string {
  return momentInWords(new Date(moment));
}

function happenedInWords({ from, to, details }: HistoryLine): string {
  switch (details?.kind) {
    case 'correction':
      return 'Details corrected';
    case 'agreement':
      return 'Agreement changed';
    case 'death-reported':
      return 'Said to have died';
    case 'death-confirmed':
      return 'Death confirmed';
    case 'death-undone':
      return 'Found to be alive';
    case 'things-have-changed':
      return 'Things changed for the person';
  }
  return from === to ? 'Waiting list changed' : statusWords[to as ReferralStatus].happened;
}

/** A message that was delivered is not yet seen by a person, and the page never takes one for the other. */
function seenInWords({
  status,
  seen,
  deliveries,
}: Pick<PresentedReferral, 'status' | 'seen' | 'deliveries'>): string | undefined {
  if (seen) return `Seen by ${seen.by.name} on ${momentInWords(new Date(seen.at))}.`;
  if (status !== 'requested') return undefined;
  const arrived = deliveries.find(
    (each) =>
      each.leg === 'service' &&
      each.purpose === 'referral' &&
      (each.status === 'received' || each.status === 'acknowledged'),
  );
  if (!arrived) return 'Nobody at the service has opened it yet.';
  return `Delivered on ${momentInWords(new Date(arrived.updated_at))}. Nobody at the service has opened it yet.`;
}

function reasonInWords(reason: StatusReason) {
  return { ...reason, words: reasonWords[reason.code] };
}

function outcomeInWords(outcome: Outcome) {
  const measured = (outcome.measures ?? []).map(({ code, stage, value }) => ({
    text: `${measures[code].title}, at the ${stage}: ${value}`,
  }));
  return { ...outcome, words: outcomeWords[outcome.code] ?? outcome.code, measured };
}

const gpActionTags = {
  open: { text: 'Open', colour: 'yellow' },
  acknowledged: { text: 'Confirmed by the practice', colour: 'green' },
  done_by_hand: { text: 'Done, or told by hand', colour: 'green' },
} as const;

type WithContent = Extract<PresentedReferral, { gp_actions: unknown }>;

function gpActionsInWords(
  { gp_actions, consent, gp_practice }: WithContent,
  referral: ReadReferral['referral'],
  isClosed: boolean,
) {
  const told = (known: boolean | null) =>
    known === null
      ? 'It was not asked whether the person was told.'
      : known
        ? 'The person was told.'
        : 'The person was not told.';
  return {
    nothing: gp_actions === null ? 'Not asked.' : nothingToDo(referral),
    actions: (gp_actions ?? []).map((action) => ({
      ...action,
      tag: gpActionTags[action.status],
      told: told(action.patient_told),
    })),
    notAsked: whyNotAsked(consent?.share_with_gp, gp_practice, isClosed),
  };
}

/** The end of a referral may bring something to do, and an earlier no does not answer that. */
function nothingToDo(referral: ReadReferral['referral']): string {
  if (!isSent(referral) || openStatuses.includes(referral.status)) return 'Nothing.';
  const answered = whoAnsweredGpActions(referral.content);
  return answered.includes('outcome')
    ? 'Nothing.'
    : 'Nothing with the referral. At its end this was not asked.';
}

/** No letter names the actions, so somebody has to. */
function whyNotAsked(share: unknown, practice: object | null, isClosed: boolean): string | undefined {
  if (practice === null)
    return 'No letter asks for this, because no practice was named. Tell the practice yourself, if the person agrees.';
  if (share !== true)
    return 'No letter asks for this, because the person did not agree that the practice reads it. Tell the practice yourself, if they agree to that.';
  if (isClosed)
    return 'The practice has closed. Ask the person which one they have now, and tell it yourself.';
  return undefined;
}

/** Everything on the page of a referral. What the reader may not see is empty. */
export type FullReferral = ReadReferral & {
  /** The day in London. */
  today: string;
  /** Oldest first, as a conversation is read. */
  messages: Message[];
  moreMessages: boolean;
  unread: number;
  /** What others have changed since the reader last looked, by its name in the API. */
  changedFields: string[];
  attachments: Attachment[];
  openings: Opening[];
  /** What the sides told each other of the person's life, newest first. */
  lifeChanges: LifeChange[];
  /** It ended because the person is said to have died, and that can be taken back. */
  isDeathConfirmed: boolean;
  isSensitive: boolean;
  /** Those of the site, which are added to the words of a crisis that come with Onward. */
  crisisPhrases: readonly string[] | undefined;
  /** Other referrals for which the reader may confirm the same death. */
  othersToConfirm: ReferralToConfirm[];
  /** The day on which the GP practice closed; null if it is open. */
  practiceClosedOn: string | null;
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
  const toPerson = shows === 'all';
  return inTransaction(deps.db, async (trx) => {
    const read = await readReferralInTransaction(deps, trx, caller, id, ipAddress, { toPerson });
    const referralId = read.referral.id;
    const canReadContent = isUsable(read.referral) && (read.sides.length > 0 || read.opened);
    const newest = canReadContent ? await listMessages(trx, referralId, { limit: maxShown + 1 }) : [];
    const hide = <T extends object>(items: T[]) => hideStaff(trx, { caller, referral: read.referral }, items);
    const messages = await hide(newest.slice(0, maxShown));
    const isNew = toPerson
      ? await noteShown(deps, trx, caller, { read, messages, ipAddress })
      : { unread: 0, changedFields: [] };
    const code = read.referral.gp_practice?.ods_code;
    const practice = code === undefined ? undefined : await findPractice(trx, code);
    const canReadOpenings = read.sides.includes('referrer') || read.sides.length === 0;
    return {
      ...read,
      today: todayIn(deps.clock.now()),
      isSensitive: (await listSensitiveServices(trx)).some((each) => each === read.referral.service_id),
      crisisPhrases: deps.settings.crisisPhrases,
      messages: messages.toReversed(),
      moreMessages: newest.length > maxShown,
      ...isNew,
      attachments: canReadContent
        ? await hide(await listAttachments(trx, referralId, { limit: maxShown }))
        : [],
      othersToConfirm:
        canReadContent && read.sides.length > 0 ? await listOthersToConfirm(trx, caller, referralId) : [],
      isDeathConfirmed: Boolean((await findReport(trx, referralId))?.confirmedAt),
      practiceClosedOn: practice && hasClosed(practice, deps.clock.now()) ? practice.closedOn : null,
      lifeChanges:
        canReadContent && isSent(read.referral) ? await hide(await listChanges(trx, referralId)) : [],
      openings: canReadOpenings ? await listOpenings(trx, referralId, { limit: maxShown }) : [],
    };
  });
}

type Shown = { read: ReadReferral; messages: readonly Message[]; ipAddress: string };

/** Notes what this person is shown now. @returns what of it is new to them */
async function noteShown(
  deps: ReferralDeps,
  trx: Trx,
  caller: Caller,
  { read: { referral, sides }, messages, ipAddress }: Shown,
): Promise<Pick<FullReferral, 'unread' | 'changedFields'>> {
  if (messages.length > 0)
    await recordAudit(trx, {
      at: deps.clock.now(),
      actor: actorOf(caller, ipAddress),
      action: 'referral.messages_read',
      subject: { type: 'referral', id: referral.id },
    });
  if (sides.length === 0 || !isUsable(referral)) return { unread: 0, changedFields: [] };
  const unread = await countUnread(trx, [referral.id], caller.accountId);
  const changed = await listChangedFields(trx, [referral.id], caller.accountId);
  await noteMessagesShown(trx, caller, { referral, sides }, messages);
  // A colleague from whom the service is hidden has not seen what it wrote or changed.
  if (!(await isServiceHidden(trx, { caller, referral })))
    await markRead(trx, referral.id, caller.accountId, {
      lastMessageId: messages[0]?.id ?? null,
      version: referral.version,
    });
  return { unread: unread.get(referral.id) ?? 0, changedFields: changed.get(referral.id) ?? [] };
}

type Delivery = PresentedReferral['deliveries'][number];

/** One line of “who has been told”: “Infirmary Lane Surgery, about the referral: letter sent on …”. */
export type DeliveryLine = {
  readonly who: string;
  readonly about: string;
  readonly what: string;
  /** Left out for something that has not happened. */
  readonly at?: string;
  /** The receiver was not told, so that somebody has to act. */
  readonly notDelivered: boolean;
};

const channelWords: Readonly<Record<string, string>> = {
  document: 'letter sent',
  email: 'email sent',
  webhook: 'sent to their system',
  mesh: 'sent by NHS message exchange',
};

const aboutWords: Readonly<Record<Delivery['purpose'], string>> = {
  referral: 'about the referral',
  outcome: 'about how it ended',
  removal: 'asked to remove its letter',
};

const stuckStatuses: readonly DeliveryStatus[] = ['failed', 'expired', 'uncertain'];

/** Whether the service and the GP practice were told, in words. */
export function describeDeliveries(referral: PresentedReferral): DeliveryLine[] {
  return [...referral.deliveries].sort(byPurposeAndReceiver).map((delivery) => {
    const { text, dated } = wordsFor(delivery, referral);
    return {
      who: receiver(delivery, referral),
      about: aboutWords[delivery.purpose],
      what: text,
      ...(dated && { at: delivery.updated_at }),
      notDelivered: stuckStatuses.includes(delivery.status),
    };
  });
}

/** The referral before its outcome, and the service before the practice. */
function byPurposeAndReceiver(a: Delivery, b: Delivery): number {
  const key = ({ purpose, leg }: Delivery) => `${purpose === 'outcome'} ${leg === 'gp_practice'}`;
  return key(a).localeCompare(key(b));
}

function receiver({ leg, practice }: Delivery, { service, gp_practice }: PresentedReferral): string {
  if (leg === 'service') return nameOfService(service).replace(/^a restricted/, 'A restricted');
  return practice ?? gp_practice?.name ?? 'The GP practice';
}

function wordsFor(delivery: Delivery, referral: PresentedReferral): { text: string; dated?: true } {
  switch (delivery.status) {
    case 'queued':
      return { text: 'waiting to be sent' };
    case 'sending':
      return { text: 'being sent now' };
    case 'sent':
      return { text: channelWords[delivery.channel ?? ''] ?? 'sent', dated: true };
    case 'received':
      return { text: 'delivered', dated: true };
    case 'acknowledged':
      return { text: isAnswered(delivery) ? 'answered' : 'confirmed', dated: true };
    case 'uncertain':
      return { text: 'sent, but nobody knows yet whether it arrived' };
    case 'failed':
      return { text: 'not told, because no way of sending it worked' };
    case 'expired':
      return { text: 'sent, but not confirmed in time' };
    case 'suppressed':
      return { text: `not told, because ${whyNotSent(referral)}` };
  }
}

function isAnswered({ leg, purpose }: Delivery): boolean {
  return leg === 'service' && purpose === 'referral';
}

/** Only the two sides may know what the person agreed to. */
function whyNotSent(referral: PresentedReferral): string {
  if ('consent' in referral && referral.consent.share_with_gp === false) return 'the person did not agree';
  if (referral.gp_practice === null) return 'no GP practice was named';
  return 'it is not to be sent';
}
