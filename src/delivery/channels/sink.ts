import type { Clock } from '../../platform/clock/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { insertCapturedMessages } from '../outbox-store.ts';
import { isTroubled, playSending, SimulatedTrouble } from '../simulator/trouble.ts';
import type { Channel, Sent } from './channel.ts';

/**
 * Where a test site's messages end: rendered by the channel it stands in for, kept exactly as they would have gone, and
 * shown on /outbox. Nothing of that channel that speaks to others is left in it.
 */
export function createSink({ db, clock }: { db: Db; clock: Clock }, standsInFor: Channel): Channel {
  const { name, confirms, render } = standsInFor;
  const captured: Sent = {
    // Only an inbox puts a message before its receiver by itself.
    status: name === 'inbox' ? 'received' : 'sent',
    detail: 'Captured on /outbox, not sent: this is a test site.',
  };
  return {
    name,
    repeatable: true,
    confirms,
    render,
    async send(message, rendered) {
      await insertCapturedMessages(db, name, [{ message, rendered }], clock.now());
      playSending(message);
      return captured;
    },
    async sendTogether(trx, messages, at) {
      // What a story lets go wrong has to be tried, and to fail, by itself.
      const plain = messages.filter(({ message }) => !isTroubled(message));
      await insertCapturedMessages(trx, name, plain, at);
      return messages.map((each) => (plain.includes(each) ? captured : undefined));
    },
    classify: (error) => (error instanceof SimulatedTrouble ? error.failure : undefined),
  };
}
