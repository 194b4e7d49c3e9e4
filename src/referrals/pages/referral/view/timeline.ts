import { byChannel } from '../../../../library/index.ts';
import { dayInWords } from '../../../../platform/html/index.ts';
import type { Assignment } from '../../../casework/casework-store.ts';
import type { Attachment } from '../../../conversation/attachments-store.ts';
import type { Message } from '../../../conversation/messages-store.ts';
import type { LifeChange } from '../../../corrections/life-changes-store.ts';
import type { DeliveryAttempt } from '../../../listing/attempts-store.ts';
import type { Opening } from '../../../model/access/openings-store.ts';
import { contactKinds } from '../../../model/after-acceptance/contacts.ts';
import type { HistoryLine, WaitDetails } from '../../../model/history-store.ts';
import { personAnswerWords } from '../../../model/person-page/person-page.ts';
import type { PresentedReferral } from '../../../model/presentation/present.ts';
import {
  becauseTestSite,
  explanationOf,
  isOnlyCaptured,
  nameOfService,
  reasonWords,
  statusInWords,
} from '../../../model/presentation/words.ts';
import type { ReferralStatus, StatusReason } from '../../../model/referral.ts';
import { isReopening } from '../../../model/status/state-machine.ts';
import type { Erasure } from '../../../record-keeping/erasure/find-erasure.ts';
import type { Restriction } from '../../../record-keeping/records-store.ts';
import { type ChangeInWords, changesInWords } from './changes-in-words.ts';

/** One thing that happened to a referral, in a plain sentence. */
export type TimelineEntry = {
  readonly at: Date;
  readonly what: string;
  /** Who did it; left out for what the site did. */
  readonly by?: string | undefined;
  /** Somebody has to know that this did not work. */
  readonly isProblem?: boolean;
  readonly changes?: readonly ChangeInWords[];
  readonly reason?: { words: string; text: string | undefined } | undefined;
  /** What followed for the referral, in words of the site. */
  readonly note?: string | undefined;
  /** What else to say, in words of the person who did it. */
  readonly text?: string | undefined;
  /** Something to say beside a date: when a paper was signed, until when something was open. */
  readonly alsoAt?: { words: string; at: Date | string } | undefined;
};

/** What the page knows of a referral. Whatever the reader may not see has been taken out. */
type Sources = {
  presented: PresentedReferral;
  history: readonly HistoryLine[];
  attempts: readonly DeliveryAttempt[];
  messages: readonly Message[];
  attachments: readonly Attachment[];
  lifeChanges: readonly LifeChange[];
  openings: readonly Opening[];
  restrictions: readonly Restriction[];
  erasure: Erasure | undefined;
  assignments: readonly Assignment[];
  mayReadContent: boolean;
};

/** Everything that happened to a referral in one order of time, the newest first. */
export function timelineOf(sources: Sources): TimelineEntry[] {
  const { presented, history, attempts, messages, attachments, lifeChanges, openings, assignments } = sources;
  const entries: TimelineEntry[] = [
    ...history.map((line) => fromHistory(line, sources)),
    ...firstSeen(presented),
    ...attempts.map((attempt) => fromAttempt(attempt, presented)),
    ...messages.map((each) => ({ at: each.at, what: 'Message sent', by: authorOf(each) })),
    ...attachments.map((each) => ({ at: each.at, what: fileAdded(each), by: authorOf(each) })),
    ...contactsOf(presented),
    ...saidByPerson(presented),
    ...answersOf(presented),
    ...sources.restrictions.flatMap(restrictionOf),
    ...(sources.erasure ? [erasedBy(sources.erasure)] : []),
    ...lifeChanges.filter((each) => !isInHistory(each, history)).flatMap(confirmationOf),
    ...assignments.map(({ at, byName, ownerName }) => ({
      at,
      what: ownerName === null ? 'Assigned to nobody' : `Assigned to ${ownerName}`,
      by: byName,
    })),
    ...openings.map((each) => ({
      at: each.at,
      what: 'Opened with a reason',
      by: each.accountName,
      text: each.reason,
      alsoAt:
        each.endsAt > each.at
          ? { words: 'Open until', at: each.endsAt }
          : { words: 'For a copy that the person asked for, on', at: each.at },
    })),
  ];
  return entries
    .map((entry, index) => ({ entry, index }))
    .sort((a, b) => b.entry.at.getTime() - a.entry.at.getTime() || b.index - a.index)
    .map(({ entry }) => entry);
}

/** A contact is shown when it was, and an appointment when it is: its booking has no line. */
function contactsOf(presented: PresentedReferral): TimelineEntry[] {
  const { contacts = [] } = 'consent' in presented ? presented : {};
  return contacts.map(({ at, kind, reached, by }) => ({
    at: new Date(at),
    what: `${reached ? 'Person reached' : 'Person not reached'} (${contactKinds[kind].toLowerCase()})`,
    by,
  }));
}

/** What the person said last on their own page. */
function saidByPerson(presented: PresentedReferral): TimelineEntry[] {
  const said = 'person_page' in presented ? presented.person_page : undefined;
  const ofHelp = said?.got_help ? 'got-help' : 'did-not-get-help';
  const by = 'The person, on their own page';
  return [
    ...(said?.got_help_at ? [{ at: new Date(said.got_help_at), what: personAnswerWords[ofHelp], by }] : []),
    ...(said?.no_longer_wanted_at
      ? [{ at: new Date(said.no_longer_wanted_at), what: personAnswerWords['no-longer-wanted'], by }]
      : []),
  ];
}

/** Each time that the person answered a questionnaire on their page. Its scores are stored at one moment. */
function answersOf(presented: PresentedReferral): TimelineEntry[] {
  const { measures = [] } = 'consent' in presented ? presented : {};
  const answered = measures.filter(({ by, mode }) => by === 'person' && mode === 'online');
  const moments = new Set(answered.map(({ taken_at }) => taken_at));
  return [...moments].map((at) => ({
    at: new Date(at),
    what: 'The person answered questions on their page',
  }));
}

const operatorsOfSite = 'The operators of this site';

/** Why is known to the operators alone: the person asked for it. */
function restrictionOf({ at, liftedAt, toldWho, toldAt }: Restriction): TimelineEntry[] {
  const told =
    toldWho !== null && toldAt !== null
      ? { text: `They told at the service: ${toldWho}`, alsoAt: { words: 'Told on', at: toldAt } }
      : {};
  return [
    { at, what: 'Restricted: nobody may work with it for now', by: operatorsOfSite, ...told },
    ...(liftedAt ? [{ at: liftedAt, what: 'No longer restricted', by: operatorsOfSite }] : []),
  ];
}

function erasedBy({ at, by, why }: Erasure): TimelineEntry {
  return { at, what: 'Erased: what it said is gone for good', by, text: why };
}

function fromHistory(line: HistoryLine, { presented, mayReadContent }: Sources): TimelineEntry {
  const madeOnPaper = 'made_at' in presented ? presented.made_at : undefined;
  return {
    at: line.at,
    what: happenedInWords({ ...line, kind: line.details?.kind }),
    by: [line.actorName, line.actorOrganisation].filter(Boolean).join(', '),
    changes: changesInWords(line.details?.changes ?? []),
    reason: line.reason ? reasonOf(line, line.reason) : undefined,
    note: line.details?.kind === 'status' ? waitInWords(line.details) : undefined,
    alsoAt:
      mayReadContent && madeOnPaper && line.to === 'requested' && line.from !== line.to
        ? { words: 'Taken on paper on', at: madeOnPaper }
        : undefined,
  };
}

function waitInWords({ check_by, urgent }: WaitDetails): string {
  return `${urgent ? 'The referral was urgent. ' : ''}Next check of the wait: ${dayInWords(check_by)}`;
}

/** These reasons have no code of their own. */
function reasonOf({ details }: HistoryLine, reason: StatusReason) {
  if (details?.kind === 'transfer') return { ...reason, words: 'Why' };
  if (details?.kind === 'alarming-answer-settled' || details?.kind === 'risk-acted-on')
    return { ...reason, words: 'What was done' };
  return reasonInWords(reason);
}

export function reasonInWords(reason: StatusReason) {
  return { text: explanationOf(reason), words: reasonWords[reason.code] };
}

/** A line of the history. `kind` says what changed, where that was not the status. */
type HistoryEvent = {
  from: string | null;
  to: string;
  kind?: string | undefined;
  reason: { readonly code: string } | null;
};

export function happenedInWords({ from, to, kind, reason }: HistoryEvent): string {
  switch (kind) {
    case 'correction':
      return 'Details corrected';
    case 'agreement':
      return 'Agreement changed';
    case 'transfer':
      return 'Transferred to another service';
    case 'death-reported':
      return 'Death reported';
    case 'death-confirmed':
      return 'Death confirmed';
    case 'death-undone':
      return 'Death report withdrawn';
    case 'things-have-changed':
      return 'Things changed for the person';
    case 'file-removed':
      return 'A file was removed: attached by mistake';
    case 'file-with-virus':
      return 'A file was removed: it has a virus';
    case 'news-read':
      return 'News from the referrer read';
    case 'alarming-answer-settled':
      return 'Somebody looked into a worrying answer';
    case 'risk-acted-on':
      return 'Somebody confirmed what was done about the risk';
  }
  if (from === 'rejected' && to === 'requested') return 'Opened again: declining it was a mistake';
  if (isReopening(from as ReferralStatus | null, to as ReferralStatus))
    return 'Opened again: ending it was a mistake';
  if (from !== to) return statusInWords(to as ReferralStatus, reason).happened;
  // A change of the wait has a reason. Without one the reader may not know what changed.
  return to === 'on-hold' && reason !== null ? 'Waiting list changed' : 'Something was changed';
}

function fileAdded({ name, removedAt }: Attachment): string {
  return removedAt === null ? `File added: ${name}` : 'File added, and removed later';
}

function authorOf({
  authorName,
  authorOrganisation,
}: Pick<Message, 'authorName' | 'authorOrganisation'>): string {
  return [authorName, authorOrganisation].filter(Boolean).join(', ');
}

/** The first time that a person of the service saw it. */
function firstSeen({ seen }: PresentedReferral): TimelineEntry[] {
  return seen ? [{ at: new Date(seen.at), what: 'Seen by a person at the service', by: seen.by.name }] : [];
}

/** Whether the history has a line for it, because somebody ticked the change by a link. */
function isInHistory({ confirmedAt }: LifeChange, history: readonly HistoryLine[]): boolean {
  return history.some(
    ({ details, at }) => details?.kind === 'news-read' && at.getTime() === confirmedAt?.getTime(),
  );
}

/** The history says that something changed, and not that somebody with an account has read it. */
function confirmationOf({ confirmedAt, confirmedByName }: LifeChange): TimelineEntry[] {
  if (confirmedAt === null) return [];
  return [
    { at: confirmedAt, what: 'Confirmed that they read what changed', by: confirmedByName ?? undefined },
  ];
}

const aboutWords = {
  referral: 'The referral',
  outcome: 'How it ended',
  removal: 'The request to remove the letter',
} as const;

function fromAttempt(attempt: DeliveryAttempt, presented: PresentedReferral): TimelineEntry {
  const { at, leg, purpose, practice, channel, outcome } = attempt;
  const receiver =
    leg === 'service'
      ? nameOfService(presented)
      : (practice ?? presented.gp_practice?.name ?? 'the GP practice');
  const by = byChannel(channel);
  const words = wordsOfAttempt(outcome, isOnlyCaptured(outcome, channel, presented));
  return {
    at: new Date(at),
    what: `${aboutWords[purpose]} ${words.text.replace('{receiver}', receiver)}${by && ` ${by}`}${words.end}`,
    isProblem: words.isProblem,
  };
}

/** A test site sends nothing, and does not say that it did. */
function wordsOfAttempt(outcome: DeliveryAttempt['outcome'], isCaptured: boolean) {
  const words = attemptWords[outcome];
  if (!isCaptured) return words;
  return { ...words, text: words.text.replace('was ', 'would have been '), end: becauseTestSite };
}

const attemptWords: Readonly<
  Record<DeliveryAttempt['outcome'], { text: string; end: string; isProblem: boolean }>
> = {
  sent: { text: 'was sent to {receiver}', end: '', isProblem: false },
  received: { text: 'was delivered to {receiver}', end: '', isProblem: false },
  acknowledged: { text: 'was confirmed by {receiver}', end: '', isProblem: false },
  'will-retry': { text: 'could not be sent to {receiver}', end: '. The site tries again', isProblem: true },
  uncertain: {
    text: 'was sent to {receiver}',
    end: ', but nobody knows yet whether it arrived',
    isProblem: true,
  },
  failed: { text: 'could not be sent to {receiver}', end: '', isProblem: true },
  expired: { text: 'was sent to {receiver}', end: ', but not confirmed in time', isProblem: true },
  interrupted: {
    text: 'was on its way to {receiver}',
    end: ' when the site stopped. The site tries again',
    isProblem: true,
  },
};
