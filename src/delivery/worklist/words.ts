import type { DeliveryStatus } from '../../referrals/index.ts';
import { type AttemptOutcome, channelWords } from '../model/delivery.ts';
import type { WorklistKind } from '../model/worklist-store.ts';
import type { WorklistDelivery } from './list-store.ts';
import type { DeliveryInFull } from './read-worklist.ts';

type Tag = { text: string; colour: string };

export const kindWords: Readonly<Record<WorklistKind, Tag>> = {
  failed: { text: 'Did not arrive', colour: 'red' },
  uncertain: { text: 'May not have arrived', colour: 'orange' },
  expired: { text: 'Not confirmed', colour: 'red' },
  unanswered: { text: 'Not answered', colour: 'yellow' },
  'no-practice': { text: 'No GP practice', colour: 'grey' },
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
  suppressed: 'Not to be sent',
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
  resolved: 'It became well by itself',
  retried: 'It was tried again',
  'another-way': 'It was sent by another channel',
  'by-hand': 'Resolved by an operator',
} as const;

const byName = (channel: string | null) =>
  channel === null ? 'none yet' : (channelWords[channel] ?? channel);

/** “The referral, to Sarrowby Community Choir”. */
function what({ leg, purpose, recipient, isServiceHidden }: WorklistDelivery): string {
  const content = {
    outcome: 'How it ended',
    removal: 'The request to remove a letter',
    referral: leg === 'service' ? 'The referral' : 'A copy',
  }[purpose];
  const receiver = isServiceHidden && leg === 'service' ? 'a restricted service' : recipient;
  return `${content}, to ${receiver ?? 'the GP practice'}`;
}

export function rowInWords(delivery: WorklistDelivery) {
  const { worklist } = delivery;
  return {
    ...delivery,
    what: what(delivery),
    tag: worklist && kindWords[worklist.kind],
    closedAs: worklist?.closed_as && closingWords[worklist.closed_as],
  };
}

export function deliveryInWords(delivery: DeliveryInFull) {
  return {
    ...rowInWords(delivery),
    statusText: statusWords[delivery.status],
    way: byName(delivery.channel),
    attempts: delivery.attempts.map((each) => ({
      ...each,
      outcome: outcomeWords[each.outcome],
      way: each.channel === 'none' ? '' : byName(each.channel),
    })),
  };
}
