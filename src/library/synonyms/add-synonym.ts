import { type Actor, orRecordRefusal, recordAudit } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem, unprocessable } from '../../platform/problem/index.ts';
import { wordsOf } from '../search/words.ts';
import { saveSearchWords } from '../search/words-store.ts';
import { readSynonym } from './read-synonym.ts';
import { insertMeanings } from './store.ts';

const action = 'search_synonym.added';

/** From now on whoever says this is shown services that call it so, too. @throws Problem `unprocessable`. */
export async function addSynonym(
  deps: Platform,
  actor: Actor,
  given: { saying: string; meanings: string },
): Promise<void> {
  await orRecordRefusal(deps, { actor, action }, async () => {
    const { saying, meanings } = readSynonym(given.saying, given.meanings);
    await inTransaction(deps.db, async (trx) => {
      const at = deps.clock.now();
      const added = await insertMeanings(trx, saying, meanings, { at, by: actor.name });
      if (added.length === 0) throw known();
      // Its words are spelt right from now on.
      await saveSearchWords(trx, [...wordsOf(saying)]);
      const subject = { type: 'search-synonym', id: saying };
      await recordAudit(trx, { at, actor, action, subject, details: { meanings: added } });
    });
  });
}

function known(): Problem {
  const errors = [{ pointer: '/meanings', message: 'This is in the list already' }];
  return new Problem(unprocessable, 'The synonym was not added.', { errors });
}
