/** The object without its undefined members; undefined if none is left. */
export function withoutUndefined<T extends object>(object: T): Partial<T> | undefined {
  const members = Object.entries(object).filter(([, value]) => value !== undefined);
  return members.length === 0 ? undefined : (Object.fromEntries(members) as Partial<T>);
}
