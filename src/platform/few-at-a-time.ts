/**
 * Does at most so many at a time for each name, and the others of that name when their turn comes; those of other names wait
 * for none of them.
 */
export function fewAtATime(most: number): <T>(name: string, work: () => Promise<T>) => Promise<T> {
  const lines = new Map<string, { running: number; waiting: (() => void)[] }>();
  return async (name, work) => {
    const line = lines.get(name) ?? { running: 0, waiting: [] };
    lines.set(name, line);
    if (line.running === most) await new Promise<void>((resolve) => line.waiting.push(resolve));
    else line.running += 1;
    try {
      return await work();
    } finally {
      // The turn is handed on: nobody who comes between can take it.
      const next = line.waiting.shift();
      if (next) next();
      else line.running -= 1;
      if (line.running === 0) lines.delete(name);
    }
  };
}
