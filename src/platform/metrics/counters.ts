/** Something that a process counts, by a label of few values, for `/metrics`. */
export type Counter = {
  readonly name: string;
  readonly help: string;
  readonly label: string;
  readonly counts: Readonly<Record<string, number>>;
};

const counters: Counter[] = [];

/**
 * Declares a counter, once, in the file that counts. What is returned is counted up by hand (`failures.password += 1`):
 * the verification of a token happens tens of thousands of times a second, and may pay for an addition but not for
 * looking a label up.
 */
export function defineCounter<const Value extends string>(
  name: string,
  help: string,
  label: string,
  values: readonly Value[],
): Record<Value, number> {
  const counts = Object.fromEntries(values.map((value) => [value, 0])) as Record<Value, number>;
  counters.push({ name, help, label, counts });
  return counts;
}

/** Every counter of this process, in the order of their declaration. */
export function allCounters(): readonly Counter[] {
  return counters;
}
