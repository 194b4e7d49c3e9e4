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
  for (let at = 0; at < text.length; ) {
    const end = closingQuote(text, at + 1);
    const lexeme = text.slice(at + 1, end);
    lexemes.push(lexeme.includes("'") || lexeme.includes('\\') ? unescaped(lexeme) : lexeme);
    const said = new Places();
    at = readPlaces(text, end + 1, said);
    places += said.count;
    weights.push(said.weight());
  }
  const length = Math.log2(places + 1);
  for (let index = 0; index < lexemes.length; index += 1) weighed(lexemes[index]!, weights[index]! / length);
}

function closingQuote(text: string, from: number): number {
  let end = text.indexOf("'", from);
  while (text[end + 1] === "'") end = text.indexOf("'", end + 2);
  return end;
}

const unescaped = (lexeme: string) => lexeme.replaceAll(/(['\\])\1/g, '$1');

/** The places of a word, such as `:7A,10B,20`. @returns where the next word begins. */
function readPlaces(text: string, from: number, said: Places): number {
  let letter = worth.D;
  let isPlace = false;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === space || code === comma) {
      if (isPlace) said.add(letter);
      if (code === space) return at + 1;
      letter = worth.D;
    } else if (code >= letterA) {
      letter = worth[text[at] as keyof typeof worth];
    } else {
      isPlace = true;
    }
  }
  if (isPlace) said.add(letter);
  return text.length;
}

const [space, comma, letterA] = [' ', ',', 'A'].map((each) => each.charCodeAt(0)) as [number, number, number];

/** What the places of one word come to. */
class Places {
  count = 0;
  #sum = 0;
  #best = 0;
  #bestAt = 1;

  add(worth: number): void {
    this.count += 1;
    this.#sum += worth / this.count ** 2;
    if (worth > this.#best) {
      this.#best = worth;
      this.#bestAt = this.count;
    }
  }

  weight(): number {
    return (this.#best * (1 - 1 / this.#bestAt ** 2) + this.#sum) / sumOfSquares;
  }
}
