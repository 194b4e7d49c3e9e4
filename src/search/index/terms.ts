import { type Ages, agesIn } from '../query/ages.ts';
import type { Numbering } from './columns.ts';

/** A taxonomy's term as PostgreSQL has it; `taxonomy` is what its taxonomy is called. */
export type TermRow = {
  id: string;
  name: string;
  sortName: string;
  parentId: string | null;
  taxonomyId: string | null;
  taxonomy: string | null;
};

/** The terms of all taxonomies: a few thousand at most, read again when one changes. */
export class Terms {
  readonly #rows: ReadonlyMap<string, TermRow>;
  readonly #children: ReadonlyMap<string | null, readonly TermRow[]>;
  readonly #numbers: Numbering;
  readonly #ancestors: (readonly number[])[] = [];
  readonly #ages: (Ages | null)[] = [];

  constructor(rows: readonly TermRow[], numbers: Numbering) {
    this.#rows = new Map(rows.map((row) => [row.id, row]));
    this.#children = Map.groupBy(rows, ({ parentId }) => parentId);
    this.#numbers = numbers;
  }

  get(id: string): TermRow | undefined {
    return this.#rows.get(id);
  }

  idsOfTaxonomy(taxonomyId: string): string[] {
    return [...this.#rows.values()].filter((row) => row.taxonomyId === taxonomyId).map(({ id }) => id);
  }

  /**
   * The terms and all below them. The loop also visits the terms that it adds. A circle of terms ends, because each is
   * added once.
   */
  withDescendants(ids: readonly string[]): Set<string> {
    const all = new Set(ids);
    for (const id of all) for (const child of this.#children.get(id) ?? []) all.add(child.id);
    return all;
  }

  /** The numbers of a term and of all above it. */
  withAncestors(number: number): readonly number[] {
    this.#ancestors[number] ??= this.#findAncestors(number);
    return this.#ancestors[number];
  }

  /** The ages that the term's name mentions. */
  agesOf(number: number): Ages | null {
    if (this.#ages[number] === undefined) {
      const name = this.#rows.get(this.#numbers.text(number))?.name;
      this.#ages[number] = agesIn(name?.toLowerCase() ?? '') ?? null;
    }
    return this.#ages[number]!;
  }

  #findAncestors(number: number): number[] {
    const ids = new Set([this.#numbers.text(number)]);
    for (const id of ids) {
      const parent = this.#rows.get(id)?.parentId;
      if (parent !== undefined && parent !== null) ids.add(parent);
    }
    return [...ids].map((id) => this.#numbers.numberOf(id));
  }
}
