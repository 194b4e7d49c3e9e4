/** A word of a text and how much it counts there, from 0 to 1. */
export type Weighed = (lexeme: string, weight: number) => void;

/** What a word is worth in the title, in other names, in the description, in the terms. */
const worth = { A: 1, B: 0.6, C: 0.3, D: 0.1 };
const sumOfSquares = Math.PI ** 2 / 6;

/**
 * Reads a tsvector as PostgreSQL writes it, and weighs its words as `ts_rank` with these worths and normalisation 1 does:
 * the best place of a word counts whole, others less and less, and long texts, which hold every word, a little less.
 */
export function weighWords(text: string, weighed: Weighed): void {
  const lexemes: string[] = [];
  const weights: number[] = [];
  let places = 0;
  for (let at = text.indexOf("'"); at !== -1; ) {
    const end = closingQuote(text, at + 1);
    const lexeme = text.slice(at + 1, end);
    lexemes.push(/['\\]/.test(lexeme) ? lexeme.replaceAll(/(['\\])\1/g, '$1') : lexeme);
    const next = text.indexOf("'", end + 1);
    const positions = text.slice(end + 2, next === -1 ? undefined : next - 1);
    const said = worthsOf(positions);
    places += said.length;
    weights.push(weightOf(said));
    at = next;
  }
  const length = Math.log2(places + 1);
  for (const [index, lexeme] of lexemes.entries()) weighed(lexeme, weights[index]! / length);
}

function closingQuote(text: string, from: number): number {
  let end = text.indexOf("'", from);
  while (text[end + 1] === "'") end = text.indexOf("'", end + 2);
  return end;
}

/** Of each place, such as `7A,10B,20`; a text without places counts as one. */
function worthsOf(positions: string): number[] {
  return positions.split(',').map((place) => worth[place.at(-1) as keyof typeof worth] ?? worth.D);
}

function weightOf(worths: readonly number[]): number {
  let sum = 0;
  let best = 0;
  for (const [index, each] of worths.entries()) {
    sum += each / (index + 1) ** 2;
    if (each > worths[best]!) best = index;
  }
  return (worths[best]! * (1 - 1 / (best + 1) ** 2) + sum) / sumOfSquares;
}
