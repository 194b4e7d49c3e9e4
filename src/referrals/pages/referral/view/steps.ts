import type { HistoryLine } from '../../../model/history-store.ts';
import type { PresentedReferral } from '../../../model/presentation/present.ts';
import { statusInWords } from '../../../model/presentation/words.ts';
import { openStatuses, type ReferralStatus } from '../../../model/referral.ts';

/** A step of a referral on its way. */
export type Step = {
  readonly text: string;
  readonly state: 'done' | 'current' | 'ahead' | 'ended';
  /** When it was reached. */
  readonly at?: Date | string | undefined;
  /** What else to know about it, in a sentence. */
  readonly note?: string | undefined;
};

type Facts = Pick<PresentedReferral, 'status' | 'status_reason' | 'seen' | 'deliveries' | 'requested_at'>;

/**
 * How far a referral has come: sent, received, accepted, started, completed. A waiting list comes between where there was one, and an
 * end without completion is the last step.
 * @param seen who of the service has seen it, in a sentence
 */
export function stepsOf(
  referral: Facts,
  history: readonly Pick<HistoryLine, 'to' | 'from' | 'at'>[],
  seen: string | undefined,
): Step[] {
  const { status, status_reason: reason } = referral;
  const changes = history.filter(({ from, to }) => from !== to);
  const reachedAt = (wanted: ReferralStatus) => changes.findLast(({ to }) => to === wanted)?.at;
  const sentAt = referral.requested_at ?? undefined;
  const isOpen = openStatuses.includes(status) || status === 'draft';
  const received = receivedStep(referral, seen);
  const planned: {
    text: string;
    at?: Date | string | undefined;
    isReached: boolean;
    note?: string | undefined;
  }[] = [
    { text: 'Sent', at: sentAt, isReached: sentAt !== undefined },
    { text: 'Received', ...received },
    ...(['accepted', 'on-hold', 'in-progress', 'completed'] as const).flatMap((each) => {
      const at = reachedAt(each);
      // An end that was taken back is no step of the referral any more.
      const isReached = at !== undefined && !(isOpen && each === 'completed');
      return each === 'on-hold' && !isReached ? [] : [{ text: stepWords[each], at, isReached }];
    }),
  ];
  if (!isOpen && status !== 'completed') {
    const passed = planned.filter(({ isReached }) => isReached).map((step) => toStep(step, 'done'));
    return [...passed, { text: statusInWords(status, reason).text, state: 'ended', at: reachedAt(status) }];
  }
  const current = stepOf(status, received.isReached);
  const here = planned.findIndex(({ text }) => text === current);
  return (
    planned
      .map((step, index) => ({ step, index }))
      // A step that the service left out does not come any more.
      .filter(({ step, index }) => step.isReached || index >= here)
      .map(({ step, index }) =>
        toStep(
          step,
          index === here && status !== 'completed' ? 'current' : step.isReached ? 'done' : 'ahead',
        ),
      )
  );
}

/** The steps in one line: the one at which the referral is, of how many, or how it ended. */
export function progressInWords(steps: readonly Step[]): string {
  const here = steps.findIndex(({ state }) => state === 'current');
  return here < 0 ? (steps.at(-1)?.text ?? '') : `${steps[here]!.text}: step ${here + 1} of ${steps.length}`;
}

const stepWords = {
  accepted: 'Accepted',
  'on-hold': 'On the waiting list',
  'in-progress': 'Started',
  completed: 'Completed',
} as const;

/** The step at which an open referral is. */
function stepOf(status: ReferralStatus, isReceived: boolean): string | undefined {
  if (status === 'requested') return isReceived ? 'Received' : 'Sent';
  return stepWords[status as keyof typeof stepWords];
}

function toStep(
  { text, at, note }: Omit<Step, 'state'> & { isReached: boolean },
  state: Step['state'],
): Step {
  return { text, state, note, ...(state !== 'ahead' && { at }) };
}

/** The delivery by which the referral has arrived at the service, whether or not a person has seen it. */
export function deliveryToService<T extends Facts['deliveries'][number]>(
  deliveries: readonly T[],
): T | undefined {
  return deliveries.find(
    ({ leg, purpose, status }) =>
      leg === 'service' && purpose === 'referral' && (status === 'received' || status === 'acknowledged'),
  );
}

/** Delivered and seen by a person are two things: the note says which, and when. */
function receivedStep(
  { seen, deliveries, status }: Facts,
  note: string | undefined,
): { isReached: boolean; at?: string; note?: string } {
  const arrived = deliveryToService(deliveries);
  const isAnswered = status !== 'requested' && status !== 'draft' && status !== 'cancelled';
  const isReached = seen !== null || arrived !== undefined || isAnswered;
  if (note !== undefined) return { isReached, note };
  return arrived ? { isReached, at: arrived.updated_at } : { isReached };
}
