/** What there is one of in a thing, without what is nested: the short form that HSDS's lists have. */
export function singleValues(thing: object): object {
  const single: Record<string, unknown> = {};
  for (const key of Object.keys(thing)) {
    const value = (thing as Record<string, unknown>)[key];
    if (typeof value !== 'object') single[key] = value;
  }
  return single;
}

/** HSDS demands a description of organisations, taxonomies and terms; where the source has none, it is empty. */
export function described<T extends { description?: string | undefined }>(
  thing: T,
): T & { description: string } {
  return { ...thing, description: thing.description ?? '' };
}
