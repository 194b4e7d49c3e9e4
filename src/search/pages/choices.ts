import { groupByTaxonomy } from '../../library/index.ts';
import type { FacetCount, Facets } from '../query/criteria.ts';
import { distancesMiles, type FindForm, milesOf, type PartOfDay } from './find-form.ts';

const partNames: Readonly<Record<PartOfDay, string>> = {
  morning: 'Morning (before midday)',
  afternoon: 'Afternoon (midday to 5pm)',
  evening: 'Evening (after 5pm)',
};

/**
 * What the form's filters offer, and how many services each choice would leave. @param termName the name of the chosen
 * term, which stays chosen even if no service has it
 */
export function formChoices(form: FindForm, facets: Facets, termName?: string) {
  const { termId, days, time, capacities } = form;
  const within = form.within ?? milesOf({ ...form, postcode: 'any' });
  const chosen = (values: readonly string[], list: readonly FacetCount[]) =>
    list.map((each) => ({ ...each, chosen: values.includes(each.value) }));
  const counted = facets.taxonomy_term_id!;
  const isCounted = termName === undefined || counted.some(({ value }) => value === termId);
  const terms = isCounted ? counted : [...counted, { value: termId, name: termName, count: 0 }];
  return {
    terms: groupByTaxonomy(byName(chosen([termId], terms))).toSorted((one, other) =>
      one.taxonomy.localeCompare(other.taxonomy, 'en-GB'),
    ),
    days: chosen(days, facets.day!),
    capacities: chosen(capacities, facets.capacity!),
    times: Object.entries(partNames).map(([value, name]) => ({ value, name, chosen: value === time })),
    distances: [...distancesMiles, 'any' as const].map((miles) => ({
      value: miles,
      name: miles === 'any' ? 'Any distance' : miles === '1' ? '1 mile' : `${miles} miles`,
      chosen: miles === within,
    })),
  };
}

function byName<T extends { name: string }>(terms: readonly T[]): T[] {
  return terms.toSorted((one, other) => one.name.localeCompare(other.name, 'en-GB'));
}
