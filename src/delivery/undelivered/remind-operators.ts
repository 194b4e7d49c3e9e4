import { mailOperators } from '../../accounts/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { dayMs } from '../../platform/durations.ts';
import type { Platform } from '../../platform/platform.ts';
import { countLongOpen } from './list-store.ts';

const openTooLongMs = 5 * dayMs;

/**
 * The `remind-operators` job: emails every operator each morning while a row of the worklist is five days old, because its
 * owner may be away. The email says how many there are, and nothing about a person.
 */
export async function remindOperators(deps: Platform): Promise<void> {
  const openSince = new Date(deps.clock.now().getTime() - openTooLongMs);
  await inTransaction(deps.db, async (trx) => {
    const count = await countLongOpen(trx, openSince);
    if (count === 0) return;
    const what = count === 1 ? '1 message has' : `${count} messages have`;
    await mailOperators(trx, deps, 'reminder', {
      subject: `${what} waited five days`,
      paragraphs: [
        `${what} not arrived, or not been answered, for five days. Services and GP practices may not know what they should.`,
        `Resolve ${count === 1 ? 'it' : 'them'} here:\n\n${deps.settings.baseUrl}/operator/deliveries`,
        'You get this each morning until it is done.',
      ],
    });
  });
}
