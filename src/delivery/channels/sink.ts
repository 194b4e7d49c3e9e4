import type { Clock } from '../../platform/clock/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids/index.ts';
import { insertCapturedMessage } from '../outbox-store.ts';
import type { Channel } from './channel.ts';

/** Where a test site's messages end: kept as they would have gone by the channel it stands in for, and shown on /outbox. */
export function createSink({ db, clock }: { db: Db; clock: Clock }, standsInFor: Channel): Channel {
  const { name } = standsInFor;
  return {
    name,
    async send(message) {
      const at = clock.now();
      const letter = await message.letter();
      await insertCapturedMessage(db, { id: newId(at.getTime()), channel: name, message, letter, at });
      // Only an inbox puts a message before its receiver by itself.
      const status = name === 'inbox' ? 'received' : 'sent';
      return { status, detail: 'Captured on /outbox, not sent: this is a test site.' };
    },
  };
}
