import type { Settings } from '../../platform/settings/index.ts';
import { crisisInOtherLanguages, harmlessInOtherLanguages } from './crisis-languages.ts';
import { defaultCrisisDeeds, defaultCrisisPhrases } from './crisis-phrases.ts';
import { dangerWords, writtenWithoutSpaces } from './words.ts';

/** “Cuts herself off from friends” and “was kicked out” are no emergency. */
const harmlessEnding =
  / (cut|cuts|cutting|burn|burns|burned|burnt|burning|kick|kicks|kicked|kicking)( \w+)? (off|out) /g;

/** The words of a text with a space before, between and after them, so that a phrase is found only as whole words. */
const spacedWords = (phrase: string) => ` ${dangerWords(phrase).join(' ')} `;
/** With a star at its end, a built-in phrase is the beginning of a word, so it has no space there. */
const builtInWords = (phrase: string) =>
  phrase.endsWith('*') ? spacedWords(phrase).trimEnd() : spacedWords(phrase);
const firstWord = (phrase: string) => phrase.split(' ', 2)[1] ?? '';

const allBuiltIn = [...defaultCrisisPhrases, ...defaultCrisisDeeds, ...crisisInOtherLanguages].map(
  builtInWords,
);
/** By their first words: a text is compared only with the phrases that begin with one of its words. */
const builtIn = Map.groupBy(allBuiltIn, firstWord);
const firstLetters = (word: string) => word.slice(0, 2);
/** The phrases that are the beginning of one word, by its first two letters. */
const beginnings = Map.groupBy(
  allBuiltIn.filter((phrase) => !phrase.endsWith(' ') && phrase.lastIndexOf(' ') === 0),
  (phrase) => firstLetters(phrase.trim()),
);

/**
 * Whether these words of a search or a referral suggest that somebody is in danger. `ownPhrases` are the site's: they are added to
 * the built-in list, so a site cannot lose built-in phrases by mistake. A phrase that begins with a hyphen is removed from the list.
 */
export function mentionsCrisis(typed: string, ownPhrases: readonly string[] = []): boolean {
  return phrasesIn(spacedWords(typed), ownPhrases).some(({ phrase }) => phrase !== undefined);
}

/** For each word of the text, by its index: the longest phrase that begins there, if any. @param words as {@link spacedWords} has them */
function* phrasesIn(words: string, ownPhrases: readonly string[]) {
  // Harmless words become hyphens and are not left out, so that the index of a word stays what it is in the typed text.
  const text = [harmlessEnding, harmlessInOtherLanguages].reduce(
    (left, harmless) => left.replaceAll(harmless, (match) => match.replaceAll(/[^ ]+/g, '-')),
    words,
  );
  const takenOut = new Set(ownPhrases.filter((phrase) => phrase.startsWith('-')).map(spacedWords));
  const added = ownPhrases.filter((phrase) => !phrase.startsWith('-')).map(spacedWords);
  let wordIndex = 0;
  for (const { 1: word = '', index } of text.matchAll(/ (?=([^ ]+))/g)) {
    const phrase = [...added, ...(builtIn.get(word) ?? []), ...(beginnings.get(firstLetters(word)) ?? [])]
      .filter((each) => !takenOut.has(each) && text.startsWith(each, index))
      .toSorted((one, other) => other.length - one.length)[0];
    yield { wordIndex, phrase };
    wordIndex += 1;
  }
}

/** What comes directly before words of a crisis where somebody says that there is none. */
const denial =
  / (?<!(longer|not|never|nor) )(no|not any|never had|never had any|denies|denies any|denied|denied any) ((current |active )?(thoughts?|plans?|ideas?|intentions?) )?(of |to |about )?$| never (thought|spoken|talked) (of|about) $/;
/** What is denied may go on after the words of a crisis: “denies suicidal thoughts or plans”. */
const deniedToo = /^(thoughts?|ideation|ideas?|intent|intentions?|plans?|attempts?|or|and)$/;
/** “Denies suicidal thoughts. Has a plan and a date.”: what follows may take the denial back. */
const takesBack =
  /^(but|however|although|though|yet|then|later|now|today|tonight|tomorrow|again|yes|admits|admitted|plan|plans|planned|planning|date|means|saved|saving|tablets|pills|rope|knife|blade|bridge|goodbye|note|will)$/;
const endsSentence = /[.;!?。！？；।]["”’」』）)]*$/;
/** Where no spaces are written, a part ends with a mark or after some letters: a quotation has whole parts. */
const betweenParts = new RegExp(
  `\\s+|(?<=[，、。！？；：])|(?<=${writtenWithoutSpaces}{20})(?=${writtenWithoutSpaces})`,
  'v',
);
/** The spaces that joining such parts would add. */
const addedSpaces = new RegExp(
  `(?<=[，、。！？；：]|${writtenWithoutSpaces}) (?=${writtenWithoutSpaces})`,
  'gv',
);

/**
 * The words of a crisis in a text, with their sentence. `goesOn`: the text has more. `isDenied`: it says directly before them that
 * there is no such thing, and the sentence ends with them or with “thoughts or plans”. “No thoughts of suicide today, but …” is no
 * such sentence: a false alarm does less harm than a missed one.
 */
export function crisisIn(
  typed: string,
  ownPhrases: readonly string[] = [],
): { words: string; goesOn: boolean; isDenied: boolean }[] {
  const parts = typed.split(betweenParts).filter((part) => part !== '');
  const words = parts.flatMap((part, index) => dangerWords(part).map((word) => ({ word, part: index })));
  const text = ` ${words.map(({ word }) => word).join(' ')} `;
  let end = 0;
  return [...phrasesIn(text, ownPhrases)].flatMap(({ wordIndex, phrase }) => {
    if (phrase === undefined || wordIndex < end) return [];
    end = wordIndex + phrase.trim().split(' ').length;
    const first = words[wordIndex]!.part;
    const last = words[end - 1]!.part;
    const before = ` ${words
      .slice(Math.max(0, wordIndex - 6), wordIndex)
      .map(({ word }) => word)
      .join(' ')} `;
    const endsAt = (word: number) =>
      words[word]!.part === parts.length - 1 || endsSentence.test(parts[words[word]!.part]!);
    let lastDenied = end - 1;
    while (!endsAt(lastDenied) && deniedToo.test(words[lastDenied + 1]?.word ?? '')) lastDenied += 1;
    const isTakenBack = words.slice(lastDenied + 1).some(({ word }) => takesBack.test(word));
    const isDenied = endsAt(lastDenied) && !isTakenBack && denial.test(before);
    return [{ ...quote(parts, first, last), isDenied }];
  });
}

/** A reader judges by it, so “…if she goes home” must not be cut off. */
const maxQuoteLength = 200;

/**
 * The sentence, and those that follow while there is room. A sentence that is too long is cut to the words around the phrase. Half of the
 * next sentence would puzzle, or say the opposite of the whole: “… his life. He has …”.
 */
function quote(parts: readonly string[], first: number, last: number): { words: string; goesOn: boolean } {
  const textOf = (from: number, to: number) =>
    parts.slice(from, to).join(' ').replaceAll(addedSpaces, '').replaceAll(/[“”"]/g, '');
  const fits = (from: number, to: number) => textOf(from, to).length <= maxQuoteLength;
  const endAfter = (at: number) => {
    const end = parts.findIndex((part, index) => index >= at && endsSentence.test(part));
    return end < 0 ? parts.length : end + 1;
  };
  const start = parts.findLastIndex((part, at) => at < first && endsSentence.test(part)) + 1;
  let [from, to] = [start, endAfter(last)];
  const isLong = !fits(from, to);
  if (isLong) {
    [from, to] = [first, last + 1];
    // In turn, so that what comes after the words is quoted, too.
    for (let grows = true; grows; ) {
      const mayStart = from > start && fits(from - 1, to);
      if (mayStart) from -= 1;
      const mayEnd = to < endAfter(last) && fits(from, to + 1);
      if (mayEnd) to += 1;
      grows = mayStart || mayEnd;
    }
  } else {
    while (to < parts.length && fits(from, endAfter(to))) to = endAfter(to);
  }
  const [before, after] = [from > start, isLong && to < endAfter(last)];
  return {
    words: `${before ? '…' : ''}${textOf(from, to)}${after ? '…' : ''}`,
    goesOn: from > 0 || to < parts.length,
  };
}

/** The telephone numbers for the answer to a search that mentions a crisis. */
export function crisisHelpFor(
  { crisisPhrases, safeguardingContact }: Pick<Settings, 'crisisPhrases' | 'safeguardingContact'>,
  search: string | undefined,
) {
  if (search === undefined || !mentionsCrisis(search, crisisPhrases)) return undefined;
  return {
    emergency_number: '999',
    mental_health_number: '111',
    listening_number: '116 123',
    safeguarding_contact: safeguardingContact ?? null,
  };
}
