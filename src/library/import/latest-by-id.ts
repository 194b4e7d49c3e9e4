/** One row for each id, in the order of the ids, so that imports at the same time lock rows in the same order. */
export function latestById<T extends { id: string }>(things: readonly T[]): T[] {
  const byId = new Map(things.map((thing) => [thing.id, thing]));
  return [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}
