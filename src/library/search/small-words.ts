/**
 * Words that say nothing of what is looked for. PostgreSQL passes over most of them too, but not over all that people
 * put into a sentence; and the page would name them as what services were found by.
 */
const smallWords = new Set(
  `a about after again all also am an and any are as at be because been before being but by can cannot cant could did do
  does doing don dont down each else every few for from get gets getting got had has have having he her here hers herself
  him himself his how however i if in into is isn it its itself just ll let like made make many may me might mine
  more most much must my myself need needs no nor not now of off on once only or other our ours ourselves out over
  own please really re s same shall she should so some someone something still such t than that the their theirs
  them themselves then there these they this those though through to too under until up upon ve very want wants was
  we were what when where which while who whom whose why will with within without won wont would you your yours yourself`.split(
    /\s+/,
  ),
);

/** The words without the small ones and single letters; all of them where nothing else is left. */
export function tellingWords(words: readonly string[]): readonly string[] {
  const telling = words.filter((word) => word.length > 1 && !smallWords.has(word));
  return telling.length > 0 ? telling : words;
}
