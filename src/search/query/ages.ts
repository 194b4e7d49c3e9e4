import { maxAge } from '../../library/index.ts';

/** Ages from one to another, both of them included. */
export type Ages = { from: number; to: number };

/** Units after which a number is not an age: “over 3 years” is a time, “over 3 years old” an age. */
const noAge =
  '(?! ?(?:months?|weeks?|days?|hours?|minutes?|miles?|pounds?|stone|years?(?! old)|yrs?(?! old)))';
const upFrom = (from: number) => ({ from, to: maxAge });

/** Words that name an age, and the ages of the people meant. A “child” means all up to the ages of parents, who search for it. */
const patterns: readonly (readonly [RegExp, (number: number) => Ages])[] = [
  [new RegExp(`\\b(?:over|above)(?: the age of)? (\\d{1,3})s?\\b${noAge}`, 'g'), upFrom],
  [/\b(\d{2,3}) ?\+/g, upFrom],
  [new RegExp(`\\bunder (\\d{1,3})s?\\b${noAge}`, 'g'), (to) => ({ from: 0, to })],
  [/\b(?:aged? )(\d{1,3})\b|\b(\d{1,3})[ -](?:years?|yrs?)[ -]olds?\b/g, (age) => ({ from: age, to: age })],
  [
    /\b(?:older (?:people|persons?|adults?|m[ae]n|wom[ae]n|lad(?:y|ies))|old (?:people|m[ae]n|wom[ae]n|lad(?:y|ies))|elderly|pensioners?|oaps?|retire(?:d|ment)|retiring|seniors?)\b/g,
    () => upFrom(60),
  ],
  [/\b(?:teen(?:ager|age)?s?|adolescents?)\b/g, () => ({ from: 13, to: 19 })],
  [
    /\b(?:young (?:people|persons?|adults?|m[ae]n|wom[ae]n)|youths?|youngsters?)\b/g,
    () => ({ from: 11, to: 30 }),
  ],
  [/\bstudents?\b/g, () => ({ from: 16, to: 45 })],
  [
    /\b(?:bab(?:y|ies)|newborns?|toddlers?|infants?|preschool\w*|child(?:ren)?|kids?|parents and \w+)\b/g,
    () => ({ from: 0, to: 55 }),
  ],
];

/** The ages that a text in lower case mentions, from the youngest to the oldest. */
export function agesIn(text: string): Ages | undefined {
  const mentioned = patterns.flatMap(([words, agesOf]) =>
    [...text.matchAll(words)].map(([, one, other]) => agesOf(Number(one ?? other))),
  );
  if (mentioned.length === 0) return undefined;
  return {
    from: Math.min(...mentioned.map(({ from }) => from)),
    to: Math.max(...mentioned.map(({ to }) => to)),
  };
}
