import { channelInWords } from '../../library/index.ts';
import {
  type AttemptOutcome,
  becauseTestSite,
  type DeliveryStatus,
  isOnlyCaptured,
} from '../../referrals/index.ts';
import { isHeldByAddress } from '../model/held-by.ts';
import type { UndeliveredKind } from '../model/undelivered-store.ts';
import type { Cause } from './causes/causes.ts';
import { neutralReasons } from './hide-receivers.ts';
import type { UndeliveredDelivery } from './list-store.ts';
import type { DeliveryInFull } from './read-undelivered.ts';

type Tag = { text: string; colour: string };

export const kindWords: Readonly<Record<UndeliveredKind, Tag>> = {
  failed: { text: 'Did not arrive', colour: 'red' },
  uncertain: { text: 'May not have arrived', colour: 'orange' },
  expired: { text: 'Not confirmed', colour: 'red' },
  unanswered: { text: 'Not answered', colour: 'yellow' },
  'no-practice': { text: 'Needs a practice', colour: 'yellow' },
  held: { text: 'Held', colour: 'orange' },
};

const statusWords: Readonly<Record<DeliveryStatus, string>> = {
  queued: 'Waits to be sent',
  sending: 'Is being sent',
  sent: 'Sent',
  received: 'Received',
  acknowledged: 'Confirmed',
  uncertain: 'May not have arrived',
  failed: 'Did not arrive',
  expired: 'Not confirmed in time',
  suppressed: 'Not sent',
};

const outcomeWords: Readonly<Record<AttemptOutcome, string>> = {
  sent: 'Sent',
  received: 'Received',
  acknowledged: 'Confirmed',
  'will-retry': 'Did not work',
  uncertain: 'Nobody can tell',
  failed: 'Cannot work',
  expired: 'Not taken in time',
  interrupted: 'Cut short',
};

const closingWords = {
  resolved: 'It resolved itself',
  retried: 'It was tried again',
  'another-way': 'It was sent by another channel',
  'by-hand': 'Resolved by an operator',
} as const;

const byName = (channel: string | null) => (channel === null ? 'none yet' : channelInWords(channel));

/** “The referral”. */
export function purposeWords({ leg, purpose }: Pick<UndeliveredDelivery, 'leg' | 'purpose'>): string {
  return {
    outcome: 'How it ended',
    removal: 'The request to remove a letter',
    referral: leg === 'service' ? 'The referral' : 'A copy',
  }[purpose];
}

/** “The referral, to Sarrowby Community Choir”. */
function messageInWords({ leg, purpose, recipient, isServiceHidden }: UndeliveredDelivery): string {
  const receiver = isServiceHidden && leg === 'service' ? 'a restricted service' : recipient;
  return `${purposeWords({ leg, purpose })}, to ${receiver ?? 'the GP practice'}`;
}

export function rowInWords(delivery: UndeliveredDelivery) {
  const { worklist } = delivery;
  return {
    ...delivery,
    what: messageInWords(delivery),
    tag: worklist && kindWords[worklist.kind],
    closedAs: worklist?.closed_as && closingWords[worklist.closed_as],
  };
}

/** A cause as the list shows it: who does not get their messages, and why. */
export function causeInWords({ kind, leg, receiverName, heldBy, rows, ...cause }: Cause) {
  const isHidden = cause.isServiceHidden && leg === 'service';
  return {
    id: rows[0]!.id,
    name: nameOfCause({ kind, heldBy, isHidden, receiverName }),
    tag: kindWords[kind],
    reasons: isHidden ? [neutralReasons[kind]] : reasonsOf(rows),
    isServiceHidden: cause.isServiceHidden,
    escalated: cause.escalated,
    pressing: cause.pressing,
    count: rows.length,
    since: rows.map(({ openedAt }) => openedAt).toSorted((one, other) => one.getTime() - other.getTime())[0],
  };
}

/** Who does not get their messages because of a cause. */
export function nameOfCause({
  kind,
  heldBy,
  isHidden,
  receiverName,
}: Pick<Cause, 'kind' | 'heldBy' | 'receiverName'> & { isHidden: boolean }): string {
  if (kind === 'no-practice') return 'GP practice not named';
  // The connection refuses all messages of this site.
  if (kind === 'held' && !isHeldByAddress(heldBy)) return 'Several receivers';
  return isHidden ? 'A restricted service' : (receiverName ?? 'A GP practice');
}

/** One receiver may refuse messages for several reasons, and each needs something else. The most frequent comes first. */
function reasonsOf(rows: Cause['rows']): string[] {
  const byReason = [...Map.groupBy(rows, ({ reason }) => reason)].toSorted(
    ([, one], [, other]) => other.length - one.length,
  );
  if (byReason.length === 1) return [rows[0]!.reason];
  return byReason.map(([reason, those]) => `${those.length} of ${rows.length}: ${reason}`);
}

/** Whether nobody has named a practice, and somebody still can. */
function isUnnamed({ worklist }: DeliveryInFull): boolean {
  return worklist?.kind === 'no-practice' && worklist.closed_at === null;
}

export function deliveryInWords(delivery: DeliveryInFull) {
  /** What a test site says where a live one would have sent something. */
  const capturedInWords = (channel: string | null, outcome: string) =>
    isOnlyCaptured(outcome, channel, delivery) ? `Would have been ${outcome}${becauseTestSite}` : undefined;
  return {
    ...rowInWords(delivery),
    statusText: isUnnamed(delivery)
      ? 'Waits for the name of a practice'
      : (capturedInWords(delivery.channel, delivery.status) ?? statusWords[delivery.status]),
    way: delivery.channel === null ? undefined : byName(delivery.channel),
    attempts: delivery.attempts.map((each) => ({
      ...each,
      outcome: capturedInWords(each.channel, each.outcome) ?? outcomeWords[each.outcome],
      way: each.channel === 'none' ? '' : byName(each.channel),
    })),
  };
}
