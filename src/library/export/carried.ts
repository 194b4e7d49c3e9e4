import { hash } from 'node:crypto';
import type { Service } from '../hsds/service.ts';
import type { LooseKind } from '../import/loose.ts';
import { taxonomiesOf, termsOf } from '../import/service-row.ts';
import { described } from '../import/single-values.ts';

type Named = { id: string; description?: string | undefined };
type Terms = Parameters<typeof taxonomiesOf>[0];

/**
 * What the lines of an export carry besides the services themselves. A service has its organisation and its terms in it as
 * its source gave them, and another may have given them since in other words: then an import could not tell which to keep.
 */
export function carriedThings() {
  const marks = new Map<string, string | undefined>();
  const keyOf = (kind: LooseKind, id: string) => `${kind} ${id}`;
  const note = (kind: LooseKind, thing: Named) => {
    const key = keyOf(kind, thing.id);
    const mark = markOf(JSON.stringify(described(thing)));
    marks.set(key, marks.has(key) && marks.get(key) !== mark ? undefined : mark);
  };
  const noteTerms = (terms: Terms) => {
    for (const taxonomy of taxonomiesOf(terms)) note('taxonomy', taxonomy);
  };
  return {
    noteTerms,
    noteService(service: Service): void {
      if (service.organization) note('organization', service.organization);
      const terms = termsOf(service);
      for (const term of terms) note('taxonomy_term', term);
      noteTerms(terms);
    },
    /** Whether all that carry it have it as the library has it. */
    has: (kind: LooseKind, { id, document }: { id: string; document: string }) =>
      marks.get(keyOf(kind, id)) === markOf(document),
  };
}

/** Short, because a large library has as many organisations as services. */
function markOf(text: string): string {
  return hash('sha1', text, 'base64url');
}
