import { defaultCrisisDeeds, ownLifePhrases } from '../../library/index.ts';

/** Words of a text that tell of somebody who may take their own life. `at` is the index of the first. */
export type OwnLifeSpan = { at: number; length: number };

/** Of what people do to themselves or each other, what they do to themselves. */
const ofOneself =
  /sel(f|ves)$|own life|(my|her|his|their|our) life$|it all$|(die|dead|alive|exist|end it|wake up|any (more|longer)|anymore)$|wrists?$|pills|tablets|paracetamol|ibuprofen/;
const phrases = [...ownLifePhrases, ...defaultCrisisDeeds.filter((deed) => ofOneself.test(deed))].map(
  (phrase) => phrase.split(' '),
);
const byFirstWord = Map.groupBy(phrases, ([word]) => word!);

/** “Suicidal thoughts” is one thing to look for. */
const goesOn = /^(thoughts?|thinking|ideation|ideas?|feelings?|plans?|attempts?)$/;

/** People who lost somebody look for a group for that. */
const bereaved =
  /\b(bereav\w*|lost|losing|loss|grie\w*|widow\w*|died|killed (her|him|them)sel\w+|after( \w+){0,2} suicide)\b/;

/** Where somebody says that a person may take their own life, the longest phrase first, unless it is about somebody who has died. */
export function ownLifeSpans(words: readonly string[]): OwnLifeSpan[] {
  if (bereaved.test(words.join(' '))) return [];
  return words.flatMap((first, at) => {
    const said = (byFirstWord.get(first) ?? []).filter((phrase) =>
      phrase.every((word, index) => words[at + index] === word),
    );
    let length = Math.max(0, ...said.map((phrase) => phrase.length));
    if (length === 0) return [];
    while (goesOn.test(words[at + length] ?? '')) length += 1;
    return [{ at, length }];
  });
}
