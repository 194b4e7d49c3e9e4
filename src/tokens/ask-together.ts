/**
 * Makes one question of those that come in the same turn of the event loop: under load the database is asked for dozens
 * of tokens at once, which takes hardly longer than to ask for one.
 * @param askAll answers for each key that it knows.
 */
export function askTogether<Value>(
  askAll: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): (key: string) => Promise<Value | undefined> {
  let together: { keys: string[]; answers: Promise<ReadonlyMap<string, Value>> } | undefined;
  const begin = () => {
    const keys: string[] = [];
    const turnIsOver = new Promise<void>((resolve) => setImmediate(resolve));
    const answers = turnIsOver.then(() => {
      together = undefined;
      return askAll(keys);
    });
    return { keys, answers };
  };
  return async (key) => {
    together ??= begin();
    together.keys.push(key);
    return (await together.answers).get(key);
  };
}
