/** What there is one of in a thing, without what is nested: the short form that HSDS's lists have. */
export function singleValues(thing: object): object {
  return Object.fromEntries(Object.entries(thing).filter(([, value]) => typeof value !== 'object'));
}

/** HSDS demands a description of organisations, taxonomies and terms; where the source has none, it is empty. */
export function described<T extends { description?: string | undefined }>(
  thing: T,
): T & { description: string } {
  return { ...thing, description: thing.description ?? '' };
}
