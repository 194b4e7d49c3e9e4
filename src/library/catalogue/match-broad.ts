import type { Form, Idea } from '../search/text-query.ts';
import { Bits } from './bits.ts';
import type { Catalogue } from './catalogue.ts';
import { ordinalOf } from './postings.ts';

/** The services that have all ideas, some that are gone among them: where they are too many to weigh each. */
export function matchBroad(catalogue: Catalogue, ideas: readonly Idea[]): Bits {
  const [first, ...others] = ideas.map(({ forms }) => anyOf(forms.map((form) => withForm(catalogue, form))));
  return others.reduce((all, idea) => all.and(idea), first!);
}

function anyOf([first, ...others]: readonly Bits[]): Bits {
  return others.reduce((all, form) => all.or(form), first!);
}

function withForm(catalogue: Catalogue, { parts }: Form): Bits {
  const each = parts.map((part) => {
    const bits = new Bits(catalogue.size);
    for (const entries of catalogue.postings.ofPart(part)) {
      for (const entry of entries) bits.set(ordinalOf(entry));
    }
    return bits;
  });
  const [first, ...others] = each;
  return others.reduce((all, part) => all.and(part), first!);
}
