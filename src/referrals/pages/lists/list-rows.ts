import type { Caller } from '../../../accounts/index.ts';
import { toCsv } from '../../../platform/csv.ts';
import type { ListedReferral } from '../../listing/list-referrals.ts';
import { contactElsewhereInWords } from '../../model/access/contact-elsewhere.ts';
import { contactWhileHiddenInWords, hasHiddenService } from '../../model/access/hide-sensitive-services.ts';
import { replacedWaysInWords } from '../../model/access/referrers-details.ts';
import { hasOpenRisk } from '../../model/attention/prompts.ts';
import type { ReferralDeps } from '../../model/deps.ts';
import { londonDate } from '../../model/due/dates.ts';
import { isRiskToRead } from '../../model/person/danger/risk.ts';
import { isPlainlySafe, safeContactInWords } from '../../model/person/danger/safe-contact.ts';
import { type PresentedReferral, replacedWaysIn } from '../../model/presentation/present.ts';
import { isUndelivered, type Turn, whoseTurn } from '../../model/presentation/whose-turn.ts';
import { notDeliveredTag, notOpenedTag, statusInWords, tagInWords } from '../../model/presentation/words.ts';
import { openStatuses } from '../../model/referral.ts';
import { dueInWords, patientName } from '../name-and-due.ts';
import { whyOpenListedFirst } from './accept-opened.ts';
import { nextAction } from './next-action.ts';
import { loadRowDetails, type RowDetails, type RowOptions } from './row-details.ts';

export type ListRow = Awaited<ReturnType<typeof listRows>>[number];

/**
 * Referrals as rows of a list, with the number of messages that this person has not read and, where they may accept several at once, which
 * they have to open first.
 */
export async function listRows(
  deps: ReferralDeps,
  caller: Caller,
  referrals: readonly ListedReferral[],
  options: RowOptions = {},
) {
  const details = await loadRowDetails(deps, caller, referrals, options);
  const now = deps.clock.now();
  return referrals.map((listed) => rowOf(deps.settings, caller, listed, details, now));
}

function rowOf(
  settings: ReferralDeps['settings'],
  caller: Caller,
  { referral, sides }: ListedReferral,
  details: RowDetails,
  now: Date,
) {
  const { id, reference, service, status, urgency, overdue, created_at, requested_at } = referral;
  const dueDate = dueDateFor(referral, sides);
  // Nobody can open a restricted or erased referral, so its news would never stop being new.
  const isUsable = !referral.restricted && !referral.erased_at;
  const unread = (isUsable && details.unread.get(id)) || 0;
  const newFiles = (isUsable && details.newFiles.get(id)) || 0;
  const hasQuestion = details.withQuestion.has(id);
  const owner = details.owners.get(id);
  const state = {
    ...referral,
    isUnseenLate: details.unopened.get(id)?.isLate ?? false,
    isCancelledByReferrer: details.cancelledByReferrer.has(id),
    isEndingToCheck: details.endingsToCheck.has(id),
    hasQuestion,
  };
  const moments = details.moments.get(id) ?? {};
  const action = nextAction(
    { ...state, unread, newFiles, isServiceHidden: hasHiddenService(referral) },
    sides,
    moments,
  );
  const turn = whoseTurn(settings, state, sides, now);
  // The service has a column of its own, and its name would make the row three lines high.
  const turnWithoutName = whoseTurn(settings, { ...state, service: null }, sides, now);
  // A referral on paper was made when it was taken, and its answer counts from then.
  const madeAt = ('made_at' in referral && referral.made_at) || (requested_at ?? created_at);
  const hasNews = action !== undefined && unread + newFiles > 0;
  const ownPrompts = referral.prompts.filter(({ side }) => sides.some((each) => each === side));
  // The row says the first reason; nobody should think that it is the only one.
  const others = Math.max(ownPrompts.length + Number(state.isEndingToCheck) - 1, 0);
  const withOthers = (text: string) => (others > 0 ? `${text}, and ${others} more` : text);
  // Only the news is left to do.
  const wordsOfNews = hasNews && turn.kind === 'nothing' ? action.text : undefined;
  return {
    id,
    href: `/referrals/${id}`,
    action: action && { text: action.text, href: `/referrals/${id}${action.suffix}` },
    reference,
    person: referral.restricted ? 'Restricted' : referral.erased_at ? 'Erased' : patientName(referral),
    ...contactInList(referral, settings),
    service,
    status: statusInWords(status, referral.status_reason),
    worryingAnswer: ownPrompts.some(({ kind }) => kind === 'alarming-answer'),
    urgent: urgency === 'urgent',
    atRisk:
      (details.atRisk.has(id) && !hasHiddenService(referral)) ||
      hasOpenRisk(referral) ||
      saysRisk(referral, settings),
    ...progressTags(referral, {
      isWatched: details.unopened.has(id),
      isUndelivered: isUndelivered(state, sides, now),
    }),
    overdue,
    possibleDuplicates: referral.possible_duplicates?.length ?? 0,
    possibleTwins: referral.possible_twins?.length ?? 0,
    changed: isUsable && details.changed.has(id),
    colleague: owner?.id === caller.accountId ? undefined : owner?.name,
    selection: selectionOf(referral, owner?.id, action !== undefined || isReaders(turn)),
    isReminded: details.reminded.has(id),
    unread,
    newFiles,
    hasQuestion,
    madeAt,
    due: dueDate === undefined ? undefined : dueInWords(dueDate, londonDate(now)),
    // Beside a question to the referrer, the date would read as the one for the answer.
    isDueOfService: hasQuestion && !sides.includes('provider') && dueDate === referral.next_date,
    turn: wordsOfNews ?? withOthers(turn.words),
    next: wordsOfNews ?? withOthers(turnWithoutName.words),
    // The button of the action would say the same again, and news is why the row is here.
    why: action && (kindsThatActionsSay.includes(turn.kind) || hasNews) ? undefined : withOthers(turn.words),
    since: action?.since ?? moments.newsAt ?? moments.statusAt ?? madeAt,
    openFirst:
      details.openedSinceChange && status === 'requested' && isUsable
        ? whyOpenListedFirst(referral, {
            isRead: details.openedSinceChange.has(id),
            hasUnread: unread > 0,
            hasNewFile: newFiles > 0,
            laterTexts: details.laterTexts.get(id) ?? [],
            crisisPhrases: settings.crisisPhrases,
          })
        : undefined,
  };
}

const kindsThatActionsSay: readonly Turn['kind'][] = [
  'answer',
  'question',
  'draft',
  'another-service',
  'contact',
];

function isReaders({ kind }: Turn): boolean {
  return kind !== 'wait' && kind !== 'nothing';
}

/**
 * By which day somebody has to act: the referral’s own next date, or that of a prompt for the reader’s side, whichever is sooner. None
 * while it is restricted, because nobody may act then.
 */
function dueDateFor(
  { next_date, prompts, restricted }: PresentedReferral,
  sides: ListedReferral['sides'],
): string | undefined {
  if (restricted) return undefined;
  const ofPrompts = prompts
    .filter(({ side }) => sides.some((each) => each === side))
    .map(({ due_on }) => due_on);
  return [next_date, ...ofPrompts].filter((each) => each !== null).toSorted()[0];
}

/**
 * The tags that say how far a referral is. That nobody of the service has opened it is red where somebody may come to harm; then it
 * stands beside the status of one that was answered without being opened, too.
 */
function progressTags(
  {
    status,
    status_reason: reason,
    seen,
    restricted,
  }: Pick<PresentedReferral, 'status' | 'status_reason' | 'seen' | 'restricted'>,
  { isWatched, isUndelivered }: { isWatched: boolean; isUndelivered: boolean },
) {
  const notOpened = isUndelivered ? notDeliveredTag : notOpenedTag;
  const isUnopened = isWatched
    ? openStatuses.includes(status)
    : status === 'requested' && seen === null && !restricted;
  return {
    statusTag:
      status === 'requested' && isUnopened && !restricted
        ? undefined
        : tagInWords(status, reason, { isOpened: true, restricted }),
    unopenedTag: isUnopened ? { ...notOpened, ...(isWatched && { colour: 'red' }) } : undefined,
  };
}

/**
 * What a tick sends: which referral, in which version, and who looked after it. Undefined where nobody may work with it, or
 * nobody has to, since it has ended and there is nothing more to do.
 */
function selectionOf(
  { id, version, status, restricted, erased_at }: PresentedReferral,
  ownerId: string | undefined,
  isForReader: boolean,
): string | undefined {
  const isOver = !isForReader && status !== 'draft' && !openStatuses.includes(status);
  return restricted || erased_at || isOver ? undefined : `${id} ${version} ${ownerId ?? ''}`.trim();
}

/** As far as the reader may read it; a draft was sent to nobody yet. */
function saysRisk(
  referral: PresentedReferral,
  { crisisPhrases }: Pick<ReferralDeps['settings'], 'crisisPhrases'>,
): boolean {
  if (!('patient' in referral) || referral.status === 'draft') return false;
  return isRiskToRead(referral as Parameters<typeof isRiskToRead>[0], crisisPhrases);
}

const diedInList = 'Do not contact: we were told that the person has died.';

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
  if (referral.death_reported) return { safeContact: diedInList, needsCare: true };
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

const csvColumns = {
  reference: (row) => row.reference,
  risk: (row) => (row.atRisk ? 'risk' : ''),
  safe_contact: (row) => row.safeContact ?? '',
  person: (row) => row.person ?? '',
  service: (row) => row.service?.name ?? '',
  status: (row) => row.status.text,
  urgency: (row) => (row.urgent ? 'urgent' : 'routine'),
  due: (row) => row.due?.date ?? '',
  overdue: (row) => (row.overdue ? 'overdue' : ''),
  made: (row) => String(row.madeAt).slice(0, 10),
  next_step: (row) => row.turn,
} satisfies Record<string, (row: ListRow) => string>;

type CsvColumn = keyof typeof csvColumns;

/** Operators see neither who a person is nor how to contact them. */
const columnsOfPerson: readonly CsvColumn[] = ['safe_contact', 'person'];

/** Rows as a CSV file. */
export function rowsAsCsv(rows: readonly ListRow[], { showsPeople }: { showsPeople: boolean }): string {
  const columns = (Object.keys(csvColumns) as CsvColumn[]).filter(
    (column) => showsPeople || !columnsOfPerson.includes(column),
  );
  return toCsv(
    columns,
    rows.map((row) => columns.map((column) => csvColumns[column](row))),
  );
}
