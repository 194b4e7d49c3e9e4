import { type FieldError, Problem, unprocessable } from '../../platform/problem/index.ts';
import { longestSaying } from '../search/search-facts.ts';
import { isTelling } from '../search/small-words.ts';
import { typedWords } from '../search/words.ts';

const longestText = 100;
const mostMeanings = 10;

/**
 * Reads what an operator wrote, with the words as the search takes them; the meanings stand between commas.
 * @throws Problem `unprocessable`.
 */
export function readSynonym(saying: string, meanings: string): { saying: string; meanings: string[] } {
  const said = normal(saying);
  const meant = [...new Set(meanings.split(/[,\n]/).map(normal))].filter((each) => each !== '');
  const faults = { saying: sayingFault(said), meanings: meaningsFault(said, meant) };
  const errors = Object.entries(faults).flatMap(([name, message]): FieldError[] =>
    message === undefined ? [] : [{ pointer: `/${name}`, message }],
  );
  if (errors.length > 0) throw new Problem(unprocessable, 'The synonym was not added.', { errors });
  return { saying: said, meanings: meant };
}

/** A text's words as the search compares them. */
export function normal(text: string): string {
  return typedWords(text).join(' ');
}

function sayingFault(saying: string): string | undefined {
  const words = saying.split(' ');
  if (saying === '') return 'Enter what people say';
  if (words.length > longestSaying || saying.length > longestText)
    return `What people say must have ${longestSaying} words or fewer, and ${longestText} characters`;
  // Every sentence has it, and would mean that.
  if (words.length === 1 && !isTelling(saying))
    return 'This word says too little by itself: add others to it';
  return undefined;
}

function meaningsFault(saying: string, meanings: readonly string[]): string | undefined {
  if (meanings.length === 0) return 'Enter what services call it';
  if (meanings.length > mostMeanings) return `Enter ${mostMeanings} or fewer, with a comma between them`;
  if (meanings.some((meaning) => meaning.length > longestText))
    return `What services call it must have ${longestText} characters or fewer; put a comma between two names`;
  if (meanings.some((meaning) => !meaning.split(' ').some(isTelling)))
    return 'Each must have a word that says something by itself';
  if (meanings.includes(saying)) return 'What people say cannot mean itself';
  return undefined;
}
