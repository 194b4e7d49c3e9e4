/** A wait in a test ends when it has hung: a busy machine takes many times as long as a quiet one. */
export const hungAfterMs = 60_000;

/** Waits for a condition, looking often. @throws when it does not come true, which is a hang. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  withinMs: number = hungAfterMs,
): Promise<void> {
  const end = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`it did not happen within ${withinMs} ms: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
