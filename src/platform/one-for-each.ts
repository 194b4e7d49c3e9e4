/**
 * Makes something once for each owner, when it is first wanted, and forgets it with its owner: what is remembered of a
 * database is no other's, of which a process has several in tests and in nothing else.
 */
export function oneForEach<Owner extends object, Thing>(
  make: (owner: Owner) => Thing,
): (owner: Owner) => Thing {
  const made = new WeakMap<Owner, Thing>();
  return (owner) => {
    if (!made.has(owner)) made.set(owner, make(owner));
    return made.get(owner) as Thing;
  };
}
