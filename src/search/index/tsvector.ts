/** The weight of a word in the title, in other names, in the description and in the terms. */
export const wordWeights = { A: 1, B: 0.6, C: 0.3, D: 0.1 };
const weights: Readonly<Record<string, number>> = wordWeights;
const sumOfInverseSquares = Math.PI ** 2 / 6;

/** A word, such as `'walk':7A,10B,20 `; a quote or a backslash in it stands twice. */
const lexemeAndPositions = /'((?:[^'\\]|''|\\\\)*)'(?::([\dA-D,]+))?/g;

/**
 * Reads a tsvector as PostgreSQL writes it, and weighs each word as `ts_rank` does with these weights and normalisation 1:
 * the best position of a word counts in full, the others less and less. Words of long texts count a little less.
 */
export function readTsvector(text: string): { lexeme: string; weight: number }[] {
  let positionCount = 0;
  const words = Array.from(text.matchAll(lexemeAndPositions), ([, lexeme, positions = '']) => {
    let [count, sum, best, bestCount] = [0, 0, 0, 1];
    for (const position of positions.split(',')) {
      const weight = weights[position.at(-1)!] ?? wordWeights.D;
      count += 1;
      sum += weight / count ** 2;
      if (weight > best) [best, bestCount] = [weight, count];
    }
    positionCount += count;
    const weight = (best * (1 - 1 / bestCount ** 2) + sum) / sumOfInverseSquares;
    return { lexeme: lexeme!.replaceAll(/(['\\])\1/g, '$1'), weight };
  });
  const length = Math.log2(positionCount + 1);
  return words.map(({ lexeme, weight }) => ({ lexeme, weight: weight / length }));
}
