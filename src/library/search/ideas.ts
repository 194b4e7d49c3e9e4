import type { Beginning, Saying, SearchFacts, WordFacts } from './search-facts.ts';
import { isTelling } from './small-words.ts';
import type { Form, Idea } from './text-query.ts';

/** `said` is how the page names it: as it was typed, and as services call it. */
export type SpokenIdea = Idea & { said: readonly string[] };

/** Beside the word itself, which is worth 1. */
const worthOfBeginning = 0.7;
const worthOfMeaning = 0.8;
/** Some words mean much; more than these would make a page slow and what it lists vague. */
const mostMeanings = 4;

/** With so many small words, somebody has written a sentence and not a list of words. */
const smallWordsOfSentence = 2;

/**
 * What is looked for, from the words and what is known of them. A saying of several words is one idea, the longest one
 * first. Small words are none, unless nothing else was typed.
 */
export function ideasOf(facts: SearchFacts): { ideas: SpokenIdea[]; isSentence: boolean } {
  const spans = spansOf(facts);
  const telling = spans.filter(({ words, saying }) => saying || words.some(({ word }) => isTelling(word)));
  const ideas = (telling.length > 0 ? telling : spans).map((span) => ideaOf(span, facts));
  return { ideas, isSentence: ideas.length > 1 && spans.length - ideas.length >= smallWordsOfSentence };
}

type Span = { words: readonly WordFacts[]; saying: Saying | undefined; isLast: boolean };

function spansOf({ words, sayings }: SearchFacts): Span[] {
  const spans: Span[] = [];
  for (let at = 0; at < words.length; ) {
    const [saying] = sayings.filter((each) => each.at === at).sort((one, other) => other.length - one.length);
    const length = saying?.length ?? 1;
    spans.push({ words: words.slice(at, at + length), saying, isLast: at + length === words.length });
    at += length;
  }
  return spans;
}

function ideaOf({ words, saying, isLast }: Span, facts: SearchFacts): SpokenIdea {
  const telling = words.filter(({ word }) => isTelling(word));
  const own = ownForm(telling.length > 0 ? telling : words);
  const goesOn = isLast && facts.beginning && facts.beginning.services > own.services;
  const meanings = (saying?.meanings ?? [])
    .filter(({ services, stems }) => services > 0 && !isSame(stems, own))
    .sort((one, other) => one.services - other.services)
    .slice(0, mostMeanings);
  const forms = [
    own,
    ...(goesOn ? [beginningForm(words, facts.beginning!)] : []),
    ...meanings.map(({ stems, services }) => ({ parts: allOf(stems), services, worth: worthOfMeaning })),
  ];
  // The mean of its forms: a word that one service has by chance is not worth much more than what it means.
  const known = forms.filter((form) => form.services > 0);
  const rarity = known.reduce((sum, { services }) => sum + rarityOf(services, facts), 0) / known.length;
  return {
    said: [words.map(({ word }) => word).join(' '), ...meanings.map(({ text }) => text)],
    forms,
    rarity: known.length === 0 ? 0 : rarity,
  };
}

function ownForm(words: readonly WordFacts[]): Form {
  const services = Math.min(...words.map((word) => word.services));
  return { parts: allOf(words.map(({ stem }) => stem)), services, worth: 1 };
}

const allOf = (stems: readonly string[]) => stems.map((stem) => ({ stems: [stem] }));

function isSame(stems: readonly string[], { parts }: Form): boolean {
  const own = new Set(parts.flatMap((part) => part.stems));
  return stems.length === own.size && stems.every((stem) => own.has(stem));
}

/** The last word may go on. The index holds stems, and “bereaveme” is not the beginning of “bereav”. */
function beginningForm(words: readonly WordFacts[], { word, services, stems }: Beginning): Form {
  const before = words.slice(0, -1).map(({ stem }) => stem);
  return { parts: [...allOf(before), { stems, beginning: word }], services, worth: worthOfBeginning };
}

/** The logarithm of how few services have it, as in BM25: twice as rare is not twice as telling. */
function rarityOf(services: number, facts: SearchFacts): number {
  return Math.log(1 + facts.services / (services + 0.5));
}
