import { setImmediate } from 'node:timers/promises';

/** So many that whoever else waits does not notice. */
const atOnce = 4000;

/** Sorts many things, letting others have their turns in between. */
export async function sortedInTurns(
  numbers: readonly number[],
  compare: (one: number, other: number) => number,
): Promise<number[]> {
  let runs: number[][] = [];
  for (let from = 0; from < numbers.length; from += atOnce) {
    runs.push(numbers.slice(from, from + atOnce).sort(compare));
    await setImmediate();
  }
  while (runs.length > 1) {
    const longer: number[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      longer.push(await merged(runs[at]!, runs[at + 1] ?? [], compare));
    }
    runs = longer;
  }
  return runs[0] ?? [];
}

async function merged(
  one: readonly number[],
  other: readonly number[],
  compare: (one: number, other: number) => number,
): Promise<number[]> {
  const both: number[] = [];
  let [at, otherAt] = [0, 0];
  while (at < one.length || otherAt < other.length) {
    const isFirst = otherAt === other.length || (at < one.length && compare(one[at]!, other[otherAt]!) <= 0);
    both.push(isFirst ? one[at++]! : other[otherAt++]!);
    if (both.length % (4 * atOnce) === 0) await setImmediate();
  }
  return both;
}
