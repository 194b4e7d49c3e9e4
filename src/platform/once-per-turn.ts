/**
 * Makes one question of all that are asked in the same turn of the event loop. It goes out when the turn is over, so
 * that everybody gets an answer which is newer than their question.
 */
export function oncePerTurn<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let asked: Promise<Answer> | undefined;
  return () => {
    asked ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      asked = undefined;
      return ask();
    });
    return asked;
  };
}
