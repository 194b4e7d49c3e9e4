import type { Clock } from '../../platform/clock/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids/index.ts';
import { insertCapturedMessage } from '../outbox-store.ts';
import { playSending, SimulatedTrouble } from '../simulator/trouble.ts';
import type { Channel } from './channel.ts';

/**
 * Where a test site's messages end: rendered by the channel it stands in for, kept exactly as they would have gone, and
 * shown on /outbox. Nothing of that channel that speaks to others is left in it.
 */
export function createSink({ db, clock }: { db: Db; clock: Clock }, standsInFor: Channel): Channel {
  const { name, confirms, render } = standsInFor;
  return {
    name,
    repeatable: true,
    confirms,
    render,
    async send(message, rendered) {
      const at = clock.now();
      await insertCapturedMessage(db, { id: newId(at.getTime()), channel: name, message, rendered, at });
      playSending(message);
      // Only an inbox puts a message before its receiver by itself.
      const status = name === 'inbox' ? 'received' : 'sent';
      return { status, detail: 'Captured on /outbox, not sent: this is a test site.' };
    },
    classify: (error) => (error instanceof SimulatedTrouble ? error.failure : undefined),
  };
}
