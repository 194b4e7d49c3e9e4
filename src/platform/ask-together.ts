import { oncePerTurn } from './once-per-turn.ts';

/**
 * Makes one question of those that come in the same turn of the event loop: under load the database is asked for dozens
 * of things at once, which takes hardly longer than to ask for one.
 * @param askAll answers for each key that it knows.
 */
export function askTogether<Value>(
  askAll: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): (key: string) => Promise<Value | undefined> {
  let keys: string[] = [];
  const answers = oncePerTurn(() => {
    const asked = keys;
    keys = [];
    return askAll(asked);
  });
  return async (key) => {
    keys.push(key);
    return (await answers()).get(key);
  };
}
