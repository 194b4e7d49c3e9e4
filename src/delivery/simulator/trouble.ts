import type { Failure, Message } from '../channels/channel.ts';
import { storyOf } from './stories.ts';

const failures: Readonly<Record<'bounces' | 'times-out', Failure>> = {
  bounces: { kind: 'permanent', detail: 'The simulator sent it back: there is no such address.' },
  'times-out': {
    kind: 'uncertain',
    detail:
      'The simulator let the call time out after the message was sent, so nobody can tell whether it arrived.',
  },
};

/** What a story makes of sending a message. */
export class SimulatedTrouble extends Error {
  override name = 'SimulatedTrouble';
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.detail);
    this.failure = failure;
  }
}

/** Whether the referral's story wants the message to get into trouble. */
export function isTroubled({ referral }: Pick<Message, 'referral'>): boolean {
  return storyOf(referral)?.sending !== undefined;
}

/** @throws SimulatedTrouble where the referral's story wants the message to get into trouble. */
export function playSending({ referral, chosenByHand }: Pick<Message, 'referral' | 'chosenByHand'>): void {
  const sending = storyOf(referral)?.sending;
  // Another way is there for just that.
  if (sending === 'bounces' && chosenByHand) return;
  if (sending) throw new SimulatedTrouble(failures[sending]);
}
