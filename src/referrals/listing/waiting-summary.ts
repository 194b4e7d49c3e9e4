import type { Caller } from '../../accounts/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { statusWords } from '../model/words.ts';
import { countNeedingReferrer, type ReasonToAct } from './list-store.ts';

const maxCounted = 100;

/** The most urgent first. */
const order: readonly ReasonToAct[] = [
  'prompt',
  'gp-action',
  'rejected',
  'failed',
  'cancelled',
  'message',
  'draft',
];

/** “2 referrals wait for you: 1 declined, 1 with new messages”. */
export async function summariseWaiting(db: Db, caller: Caller, today: string): Promise<string> {
  const counts = await countNeedingReferrer(db, caller, { max: maxCounted, today });
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (total === 0) return 'No referral waits for you';
  const heading = total === 1 ? '1 referral waits for you' : `${total} referrals wait for you`;
  const parts = order.flatMap((why) => {
    const count = counts.get(why);
    return count === undefined ? [] : `${count} ${reasonWords(why)}`;
  });
  return `${total < maxCounted ? heading : 'Many referrals wait for you'}: ${parts.join(', ')}`;
}

function reasonWords(why: ReasonToAct): string {
  if (why === 'prompt') return 'to look after';
  if (why === 'failed') return 'not completed';
  if (why === 'gp-action') return 'with something to tell the GP practice';
  return why === 'message' ? 'with new messages' : statusWords[why].text.toLowerCase();
}
