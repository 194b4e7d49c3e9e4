import { type Actor, recordAudit, withRefusalAudit } from '../../audit/index.ts';
import { saveSearchWords, typedWords, wordsOf } from '../../library/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { type FieldError, Problem, unprocessable } from '../../platform/problem/index.ts';
import { maxSayingLength } from './concepts.ts';
import { hasMeaning } from './small-words.ts';
import { deleteMeanings, insertMeanings } from './synonyms-store.ts';

const maxTextLength = 100;
const maxMeanings = 10;
const added = 'search_synonym.added';

/** Makes a search for the saying also find services that use other words for it. @throws Problem `unprocessable`. */
export async function addSynonym(
  deps: Platform,
  actor: Actor,
  typed: { saying: string; meanings: string },
): Promise<void> {
  await withRefusalAudit(deps, { actor, action: added }, async () => {
    const { saying, meanings } = readSynonym(typed.saying, typed.meanings);
    await inTransaction(deps.db, async (trx) => {
      const at = deps.clock.now();
      const newMeanings = await insertMeanings(trx, saying, meanings, { at, by: actor.name });
      if (newMeanings.length === 0) throw knownSynonymProblem();
      // Other words are corrected to these from now on.
      await saveSearchWords(trx, [...wordsOf(saying)]);
      const subject = { type: 'search-synonym', id: saying };
      await recordAudit(trx, { at, actor, action: added, subject, details: { meanings: newMeanings } });
    });
  });
}

function knownSynonymProblem(): Problem {
  const errors = [{ pointer: '/meanings', message: 'This is in the list already' }];
  return new Problem(unprocessable, 'The synonym was not added.', { errors });
}

/**
 * Removes meanings of a saying.
 * @returns false if there were none: somebody else was faster, or nothing was ticked.
 */
export async function removeSynonym(
  deps: Platform,
  actor: Actor,
  { saying, meanings }: { saying: string; meanings: readonly string[] },
): Promise<boolean> {
  return inTransaction(deps.db, async (trx) => {
    const removed = await deleteMeanings(trx, saying, meanings);
    if (removed.length === 0) return false;
    const at = deps.clock.now();
    const subject = { type: 'search-synonym', id: saying };
    await recordAudit(trx, {
      at,
      actor,
      action: 'search_synonym.removed',
      subject,
      details: { meanings: removed },
    });
    return true;
  });
}

/**
 * Reads what an operator wrote, with the words as the search takes them. Commas separate the meanings.
 * @throws Problem `unprocessable`.
 */
function readSynonym(saying: string, meanings: string): { saying: string; meanings: string[] } {
  const normalised = normalSaying(saying);
  const meant = [...new Set(meanings.split(/[,\n]/).map(normalSaying))].filter((each) => each !== '');
  const faults = { saying: sayingFault(normalised), meanings: meaningsFault(normalised, meant) };
  const errors = Object.entries(faults).flatMap(([name, message]): FieldError[] =>
    message === undefined ? [] : [{ pointer: `/${name}`, message }],
  );
  if (errors.length > 0) throw new Problem(unprocessable, 'The synonym was not added.', { errors });
  return { saying: normalised, meanings: meant };
}

/** A text's words as the search compares them. */
export function normalSaying(text: string): string {
  return typedWords(text).join(' ');
}

function sayingFault(saying: string): string | undefined {
  const words = saying.split(' ');
  if (saying === '') return 'Enter what people say';
  if (words.length > maxSayingLength || saying.length > maxTextLength)
    return `What people say must have ${maxSayingLength} words or fewer, and ${maxTextLength} characters`;
  // A small word is in every sentence, so as a saying it would give every search its meanings.
  if (words.length === 1 && !hasMeaning(saying))
    return 'This word says too little by itself: add others to it';
  return undefined;
}

function meaningsFault(saying: string, meanings: readonly string[]): string | undefined {
  if (meanings.length === 0) return 'Enter what services call it';
  if (meanings.length > maxMeanings) return `Enter ${maxMeanings} or fewer, with a comma between them`;
  if (meanings.some((meaning) => meaning.length > maxTextLength))
    return `What services call it must have ${maxTextLength} characters or fewer; put a comma between two names`;
  if (meanings.some((meaning) => !meaning.split(' ').some(hasMeaning)))
    return 'Each must have a word that says something by itself';
  if (meanings.includes(saying)) return 'What people say cannot mean itself';
  return undefined;
}
