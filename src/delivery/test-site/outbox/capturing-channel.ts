import type { Clock } from '../../../platform/clock/index.ts';
import type { Db } from '../../../platform/database/index.ts';
import type { Channel, Failure, OutgoingMessage, SendResult } from '../../channels/channel.ts';
import { storyOf } from '../stories.ts';
import { insertCapturedMessages } from './captured-store.ts';

/**
 * Captures the messages of a test site: rendered by the channel that it replaces, stored exactly as they would have gone,
 * and shown on /outbox. It never calls another system.
 */
export function createCapturingChannel({ db, clock }: { db: Db; clock: Clock }, replaced: Channel): Channel {
  const { name, receiverCanConfirm, render } = replaced;
  const captured: SendResult = {
    // Only an inbox shows a message to its receiver without sending anything.
    status: name === 'inbox' ? 'received' : 'sent',
    detail: 'Captured on /outbox, not sent: this is a test site.',
  };
  return {
    name,
    idempotent: true,
    receiverCanConfirm,
    render,
    async send(message, rendered) {
      await insertCapturedMessages(db, name, [{ message, rendered }], clock.now());
      requireStorySends(message);
      return captured;
    },
    async sendTogether(trx, messages, at) {
      // A message that fails by its story has to be tried by itself.
      const sendable = messages.filter(({ message }) => !storyFails(message));
      await insertCapturedMessages(trx, name, sendable, at);
      return new Map(sendable.map((each) => [each, captured]));
    },
    classify: (error) => (error instanceof SimulatedFailure ? error.failure : undefined),
  };
}

const failures: Readonly<Record<'bounces' | 'times-out', Failure>> = {
  bounces: { kind: 'permanent', detail: 'The simulator sent it back: there is no such address.' },
  'times-out': {
    kind: 'uncertain',
    detail:
      'The simulator let the call time out after the message was sent, so nobody can tell whether it arrived.',
  },
};

/** A failure that the simulator's story asks for. */
class SimulatedFailure extends Error {
  override name = 'SimulatedFailure';
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.detail);
    this.failure = failure;
  }
}

/** Whether the referral's story makes sending fail. */
function storyFails({ referral }: Pick<OutgoingMessage, 'referral'>): boolean {
  return storyOf(referral)?.sending !== undefined;
}

/** @throws SimulatedFailure when the referral's story makes sending fail. */
function requireStorySends({
  referral,
  chosenByHand,
}: Pick<OutgoingMessage, 'referral' | 'chosenByHand'>): void {
  const sending = storyOf(referral)?.sending;
  // A message that an operator sends another way arrives.
  if (sending === 'bounces' && chosenByHand) return;
  if (sending) throw new SimulatedFailure(failures[sending]);
}
