/** A term as PostgreSQL has it; `taxonomy` is what its taxonomy is called. */
export type TermRow = {
  id: string;
  name: string;
  sortName: string;
  parentId: string | null;
  taxonomyId: string | null;
  taxonomy: string | null;
};

/** The terms of all taxonomies. They are a few thousand at most, and read anew when one changes. */
export class Terms {
  readonly #rows: ReadonlyMap<string, TermRow>;
  readonly #children = new Map<string, string[]>();
  readonly #withAncestors = new Map<string, readonly string[]>();

  constructor(rows: readonly TermRow[]) {
    this.#rows = new Map(rows.map((row) => [row.id, row]));
    for (const { id, parentId } of rows) {
      if (parentId === null) continue;
      this.#children.set(parentId, [...(this.#children.get(parentId) ?? []), id]);
    }
  }

  get(id: string): TermRow | undefined {
    return this.#rows.get(id);
  }

  idsOfTaxonomy(taxonomyId: string): string[] {
    return [...this.#rows.values()].filter((row) => row.taxonomyId === taxonomyId).map(({ id }) => id);
  }

  /** The terms and all below them. A set grows while it is gone through, and a circle ends where it began. */
  withDescendants(ids: readonly string[]): Set<string> {
    const all = new Set(ids);
    for (const id of all) for (const child of this.#children.get(id) ?? []) all.add(child);
    return all;
  }

  /** The term and all above it. */
  withAncestors(id: string): readonly string[] {
    const known = this.#withAncestors.get(id);
    if (known) return known;
    const all = new Set([id]);
    for (const each of all) {
      const parent = this.#rows.get(each)?.parentId;
      if (parent !== undefined && parent !== null) all.add(parent);
    }
    const ancestors = [...all];
    this.#withAncestors.set(id, ancestors);
    return ancestors;
  }
}
