import { done, refused, type Settled } from '../platform/in-batches.ts';
import { Problem } from '../platform/problem/index.ts';

/** Does something for each of several, one after the other. A `Problem` is one's own; what else is thrown is everybody's. */
export async function eachSettled<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Settled<Result>[]> {
  const results: Settled<Result>[] = [];
  for (const item of items) {
    try {
      results.push(done(await work(item)));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      results.push(refused(error));
    }
  }
  return results;
}

/** Goes on with those that were not refused, all at once, and gives what became of each in its place. */
export async function settledTogether<Item, Result>(
  settled: readonly Settled<Item>[],
  work: (items: readonly Item[]) => Promise<readonly Settled<Result>[]>,
): Promise<Settled<Result>[]> {
  const going = settled.filter((each) => each.status === 'fulfilled').map(({ value }) => value);
  const results = going.length === 0 ? [] : await work(going);
  let place = 0;
  return settled.map((each) => (each.status === 'fulfilled' ? results[place++]! : each));
}
