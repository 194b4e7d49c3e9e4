/** Terms to choose from, under the names of their taxonomies. */
export function termGroups<T extends { taxonomy?: string | null }>(terms: readonly T[]) {
  return [...Map.groupBy(terms, ({ taxonomy }) => taxonomy ?? 'Other terms')].map(([taxonomy, options]) => ({
    taxonomy,
    options,
  }));
}
