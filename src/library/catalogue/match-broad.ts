import type { Form, Idea, Part } from '../search/text-query.ts';
import type { Bits } from './bits.ts';
import type { Catalogue } from './catalogue.ts';
import { keptBits } from './kept-bits.ts';
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
  const [first, ...others] = parts.map((part) => withPart(catalogue, part));
  return others.reduce((all, part) => all.and(part), first!);
}

function withPart(catalogue: Catalogue, part: Part): Bits {
  return keptBits(catalogue, JSON.stringify(part), (bits) => {
    for (const entries of catalogue.postings.ofPart(part)) {
      for (let at = 0; at < entries.length; at += 1) bits.set(ordinalOf(entries[at]!));
    }
  });
}
