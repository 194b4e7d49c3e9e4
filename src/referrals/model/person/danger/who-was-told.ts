import type { FieldError } from '../../../../platform/problem/index.ts';

/** Answers to “who was told?” that name nobody, put it off, or name only the writer. */
const namesNobody = [
  /^\d{0,2}$|^x+$/,
  /^(nobody|no ?one|none|nil|no|n a|not applicable|unknown|self|me|myself)( (has|have) been told| told)?( (as )?(yet|so far)| (until|up to) now)?$/,
  /^not (yet|told|done|known|sure|any(body| ?one))( (yet|told|done|so far))?$/,
  /^(some(body|one| ?one)|any(body|one)|they|people|various)$/,
  /^(to follow|pending|await(ing|ed)( (a )?(call ?back|reply|response|answer))?|outstanding|in progress|ongoing|later|soon|today|tomorrow|asap|as soon as possible|dont know)$/,
  /^(i )?(have not|havent|did not|didnt) (yet )?(told|tell) any(body| ?one)( yet)?$/,
  /^((i|we) )?(will|shall|ill|well|(am |are )?going to|plan to|intend to) (be|tell|ring|call|phone|contact|inform|speak|let|ask|do)\b/,
  /^to be (done|confirmed|told|decided)|^tb[acd]$/,
];

/** In small letters, with one space for whatever stands between words. */
const inPlainWords = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/['’]/g, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** What is wrong with the answer to “who was told?”: it names nobody. */
export function nobodyToldErrors(whoWasTold: string, pointer: string): FieldError[] {
  const who = inPlainWords(whoWasTold);
  if (!namesNobody.some((each) => each.test(who))) return [];
  return [{ pointer, message: 'must say who was told. If nobody was, tell somebody first', code: 'nobody' }];
}
