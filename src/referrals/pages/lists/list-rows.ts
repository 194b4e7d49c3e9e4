import type { Caller } from '../../../accounts/index.ts';
import { mentionsCrisis } from '../../../library/index.ts';
import { toCsv } from '../../../platform/csv.ts';
import type { Db } from '../../../platform/database/index.ts';
import { caseworkTeamOf } from '../../casework/casework.ts';
import { findNamedOwners, listReminded } from '../../casework/casework-store.ts';
import { listWithQuestion } from '../../conversation/questions-store.ts';
import {
  countUnreadMessages,
  listChangedFields,
  listOpenedSinceChange,
} from '../../conversation/readings-store.ts';
import type { ListedReferral } from '../../listing/list-referrals.ts';
import { contactElsewhereInWords } from '../../model/access/contact-elsewhere.ts';
import {
  contactWhileHiddenInWords,
  hasHiddenService,
  withoutHiddenContent,
} from '../../model/access/hide-sensitive-services.ts';
import { replacedWaysInWords } from '../../model/access/referrers-details.ts';
import { writingSide } from '../../model/access/sides.ts';
import {
  findUnseen,
  listWithUnseenCorrections,
  listWithUnseenRisk,
} from '../../model/attention/watches-store.ts';
import type { ReferralDeps } from '../../model/deps.ts';
import { londonDate } from '../../model/due/dates.ts';
import { listLaterTexts } from '../../model/person/danger/later-texts-store.ts';
import { isRiskToRead } from '../../model/person/danger/risk.ts';
import { isPlainlySafe, safeContactInWords } from '../../model/person/danger/safe-contact.ts';
import { type PresentedReferral, replacedWaysIn } from '../../model/presentation/present.ts';
import { statusInWords, whoseTurn } from '../../model/presentation/words.ts';
import { openStatuses } from '../../model/referral.ts';
import { findReferrals, listCancelledByReferrer } from '../../model/store.ts';
import { dueInWords, patientName } from '../name-and-due.ts';
import { whyOpenListedFirst } from './accept-opened.ts';
import { nextAction } from './next-action.ts';

export type ListRow = Awaited<ReturnType<typeof listRows>>[number];

/**
 * Referrals as rows of a list, with the number of messages that this person has not read and, where they may accept several at once, which
 * they have to open first.
 */
export async function listRows(
  { db, clock, settings }: ReferralDeps,
  caller: Caller,
  referrals: readonly ListedReferral[],
  { mayAccept = false }: { mayAccept?: boolean } = {},
) {
  const ownIds = referrals.filter(({ sides }) => sides.length > 0).map(({ referral }) => referral.id);
  const unread =
    ownIds.length > 0 ? await countUnreadMessages(db, ownIds, caller.accountId) : new Map<string, number>();
  const changed = await listChanged(db, caller, referrals);
  const { owners, reminded } = await listOwnersAndReminders({ db, clock }, caller, referrals);
  const unopened = await findUnseen(
    db,
    referrals.map(({ referral }) => referral.id),
    clock.now(),
  );
  const unseenRisk = await listWithUnseenRisk(db, ownIds);
  const laterTexts = await listLaterTexts(db, ownIds);
  const crisisSince = listWithCrisisSince(settings, referrals, laterTexts);
  const readAsTheyAre = mayAccept ? await listOpenedSinceChange(db, ownIds, caller.accountId) : undefined;
  const cancelledByReferrer = await listCancelledByReferrer(
    db,
    referrals.map(({ referral }) => referral.id),
  );
  const asked = await listWithOpenQuestion(db, referrals);
  const riskWhileRestricted = await listRestrictedAtRisk({ db, settings }, referrals);
  return referrals.map(({ referral, sides }) => {
    const { id, reference, service, status, urgency, overdue, created_at, requested_at, next_date } =
      referral;
    const state = {
      ...referral,
      isUnseenLate: unopened.get(id)?.isLate ?? false,
      isCancelledByReferrer: cancelledByReferrer.has(id),
      hasQuestion: asked.has(id),
    };
    const action = nextAction(
      { ...state, unread: unread.get(id) ?? 0, isServiceHidden: hasHiddenService(referral) },
      sides,
    );
    return {
      id,
      href: `/referrals/${id}`,
      action: action && { text: action.text, href: `/referrals/${id}${action.suffix}` },
      reference,
      person: referral.restricted ? 'Restricted' : referral.erased_at ? 'Erased' : patientName(referral),
      ...contactInList(referral, settings),
      service,
      status: statusInWords(status, referral.status_reason),
      isOpen: openStatuses.includes(status),
      urgent: urgency === 'urgent',
      atRisk:
        unseenRisk.has(id) ||
        crisisSince.has(id) ||
        riskWhileRestricted.has(id) ||
        saysRisk(referral, settings),
      ...progressTags(referral, unopened.has(id)),
      overdue,
      possibleDuplicates: referral.possible_duplicates?.length ?? 0,
      possibleTwins: referral.possible_twins?.length ?? 0,
      changed: changed.has(id),
      owner: ownerInWords(owners.get(id), caller),
      selection: selectionOf(referral, owners.get(id)?.id),
      isReminded: reminded.has(id),
      unread: unread.get(id) ?? 0,
      hasQuestion: asked.has(id),
      madeAt: requested_at ?? created_at,
      due: next_date === null ? undefined : dueInWords(next_date, londonDate(clock.now())),
      turn: whoseTurn(settings, state, sides, clock.now()),
      openFirst:
        readAsTheyAre &&
        whyOpenListedFirst(referral, {
          isRead: readAsTheyAre.has(id),
          hasUnread: unread.has(id),
          laterTexts: laterTexts.get(id) ?? [],
          crisisPhrases: settings.crisisPhrases,
        }),
    };
  });
}

/**
 * The tags that say how far a referral is. “Waiting for …” is the next step of one without an answer, so its status says instead whether
 * somebody of the service has opened it: in red where somebody may come to harm.
 */
function progressTags(
  { status, status_reason: reason, seen }: Pick<PresentedReferral, 'status' | 'status_reason' | 'seen'>,
  isWatched: boolean,
) {
  const isUnopened = openStatuses.includes(status) && (isWatched || seen === null);
  const ofStatus =
    status === 'requested' ? { text: 'Opened', colour: 'white' } : statusInWords(status, reason);
  return {
    statusTag: status === 'requested' && isUnopened ? undefined : ofStatus,
    unopenedTag: isUnopened ? { text: 'Not opened', colour: isWatched ? 'red' : 'blue' } : undefined,
  };
}

function ownerInWords(owner: { id: string; name: string } | undefined, caller: Caller): string | undefined {
  return owner?.id === caller.accountId ? 'you' : owner?.name;
}

/** Those with a question that waits for the reader's side. */
async function listWithOpenQuestion(
  db: Db,
  referrals: readonly ListedReferral[],
): Promise<ReadonlySet<string>> {
  const bySide = Map.groupBy(referrals, ({ sides }) => writingSide(sides));
  const asked = new Set<string>();
  for (const [side, listed] of bySide) {
    if (side === undefined) continue;
    const ids = listed.map(({ referral }) => referral.id);
    for (const id of await listWithQuestion(db, ids, [side])) asked.add(id);
  }
  return asked;
}

/** What a tick sends: which referral, in which version, and who looked after it. Undefined where nobody may work with it. */
function selectionOf(
  { id, version, restricted, erased_at }: PresentedReferral,
  ownerId: string | undefined,
): string | undefined {
  return restricted || erased_at ? undefined : `${id} ${version} ${ownerId ?? ''}`.trim();
}

/** Who looks after each of them on the reader's side, and which the reader asked to be reminded of by now. */
async function listOwnersAndReminders(
  { db, clock }: Pick<ReferralDeps, 'db' | 'clock'>,
  caller: Caller,
  referrals: readonly ListedReferral[],
): Promise<{ owners: Map<string, { id: string; name: string }>; reminded: ReadonlySet<string> }> {
  const bySide = Map.groupBy(referrals, ({ sides }) => writingSide(sides));
  const owners = new Map<string, { id: string; name: string }>();
  const ownIds: string[] = [];
  for (const [side, listed] of bySide) {
    if (side === undefined) continue;
    const ids = listed.map(({ referral }) => referral.id);
    ownIds.push(...ids);
    for (const [id, owner] of await findNamedOwners(db, ids, side, caseworkTeamOf(caller)))
      owners.set(id, owner);
  }
  const today = londonDate(clock.now());
  return { owners, reminded: await listReminded(db, ownIds, { accountId: caller.accountId, today }) };
}

/** Those that others have changed since this person last looked, or whose correction nobody of the service has seen. */
async function listChanged(
  db: Db,
  caller: Caller,
  referrals: readonly ListedReferral[],
): Promise<ReadonlySet<string>> {
  const idsOf = (listed: readonly ListedReferral[]) => listed.map(({ referral }) => referral.id);
  const own = idsOf(referrals.filter(({ sides }) => sides.length > 0));
  const received = idsOf(referrals.filter(({ sides }) => sides.includes('provider')));
  const changed = own.length > 0 ? await listChangedFields(db, own, caller.accountId) : new Map();
  const unseen = received.length > 0 ? await listWithUnseenCorrections(db, received) : [];
  return new Set([...changed.keys(), ...unseen]);
}

/** Of those that are restricted, the row says no more than that there is a risk: somebody may be waiting in danger. */
async function listRestrictedAtRisk(
  { db, settings }: Pick<ReferralDeps, 'db' | 'settings'>,
  referrals: readonly ListedReferral[],
): Promise<ReadonlySet<string>> {
  const restricted = referrals.filter(({ referral, sides }) => referral.restricted && sides.length > 0);
  if (restricted.length === 0) return new Set();
  const stored = await findReferrals(
    db,
    restricted.map(({ referral }) => referral.id),
  );
  const atRisk = restricted.filter(({ referral: { id, service_id, service } }) => {
    const found = stored.get(id);
    if (!found) return false;
    // What a colleague may read tells them of a risk, and no more.
    const readable = hasHiddenService({ service_id, service }) ? withoutHiddenContent(found) : found;
    return isRiskToRead(readable.content, settings.crisisPhrases);
  });
  return new Set(atRisk.map(({ referral }) => referral.id));
}

/** Those with words of a crisis in what was written since, also once somebody has read it. A colleague who may not read it is told nothing. */
function listWithCrisisSince(
  { crisisPhrases }: ReferralDeps['settings'],
  referrals: readonly ListedReferral[],
  laterTexts: Awaited<ReturnType<typeof listLaterTexts>>,
): ReadonlySet<string> {
  const isCrisis = (text: string) => mentionsCrisis(text, crisisPhrases);
  const withCrisis = referrals.filter(
    ({ referral, sides }) =>
      sides.length > 0 &&
      referral.status !== 'draft' &&
      !hasHiddenService(referral) &&
      laterTexts.get(referral.id)?.some(isCrisis),
  );
  return new Set(withCrisis.map(({ referral }) => referral.id));
}

/** As far as the reader may read it; a draft was sent to nobody yet. */
function saysRisk(
  referral: PresentedReferral,
  { crisisPhrases }: Pick<ReferralDeps['settings'], 'crisisPhrases'>,
): boolean {
  if (!('patient' in referral) || referral.status === 'draft') return false;
  return isRiskToRead(referral as Parameters<typeof isRiskToRead>[0], crisisPhrases);
}

/**
 * What a list says of safe contact. `safeContact`, for the CSV file, has words whenever it is not plainly safe, also where nobody asked or
 * one way alone is safe. `needsCare` marks a row: not for “no voicemail” or “by email” alone, so that the others stand out. The page
 * says those before the telephone number.
 */
function contactInList(
  referral: PresentedReferral,
  settings: Parameters<typeof contactElsewhereInWords>[1],
): { safeContact: string | undefined; needsCare: boolean } {
  if (!('patient' in referral) || referral.status === 'draft')
    return { safeContact: undefined, needsCare: false };
  if (hasHiddenService(referral)) return { safeContact: contactWhileHiddenInWords, needsCare: true };
  const { contact } = referral;
  const replaced = replacedWaysInWords(replacedWaysIn(referral));
  const answer = safeContactInWords(contact) ?? 'Safe contact not asked';
  const { first } = contactElsewhereInWords(referral.contact_elsewhere ?? [], settings);
  if (first !== undefined) {
    const here = [replaced, answer].filter(Boolean).join(' ');
    return { safeContact: `${first} This referral says: ${here}`, needsCare: true };
  }
  if (replaced !== undefined) return { safeContact: `${replaced} ${answer}`, needsCare: true };
  const { safe, who_must_not_know } = contact ?? {};
  return {
    safeContact: isPlainlySafe(contact) ? undefined : answer,
    needsCare: safe === 'no' || safe === 'only_at' || who_must_not_know !== undefined,
  };
}

const csvColumns = [
  'reference',
  'safe_contact',
  'person',
  'service',
  'status',
  'urgency',
  'due',
  'made',
  'next_step',
] as const;

/** Rows as a CSV file. */
export function rowsAsCsv(rows: readonly ListRow[]): string {
  return toCsv(csvColumns, rows.map(csvRow));
}

function csvRow(row: ListRow): string[] {
  return [
    row.reference,
    row.safeContact ?? '',
    row.person ?? '',
    row.service?.name ?? '',
    row.status.text,
    row.urgent ? 'urgent' : 'routine',
    row.due?.date ?? '',
    String(row.madeAt).slice(0, 10),
    row.turn,
  ];
}
