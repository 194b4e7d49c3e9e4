import type { Db } from '../../../../platform/database/index.ts';
import { listMessages } from '../../../conversation/messages-store.ts';
import { listLifeChanges } from '../../../corrections/life-changes-store.ts';
import type { HistoryLine } from '../../../model/history-store.ts';
import { codedFieldsInWords } from '../../../model/presentation/coded-fields.ts';
import type { Referral } from '../../../model/referral.ts';
import { readWorryingScores } from './worrying-scores.ts';

const maxShown = 100;

/** What the two sides told each other, and what happened since the answer, for somebody of the service who has opened the referral by a code. */
export async function readByCode(db: Db, referral: Referral, history: readonly HistoryLine[]) {
  const messages = await listMessages(db, referral.id, { limit: maxShown });
  const { content, outcome } = referral;
  return {
    messages: messages.toReversed(),
    lifeChanges: await listLifeChanges(db, referral.id),
    coded: codedFieldsInWords({ ...content, outcome }),
    worryingScores: await readWorryingScores(db, referral.id, content.measures ?? [], history),
  };
}
