import { groupByTaxonomy } from '../../library/index.ts';
import type { FacetCount, Facets } from '../query/criteria.ts';
import { defaultMiles, distancesMiles, type FindForm, type PartOfDay } from './find-form.ts';
import { unknownNeed } from './result-links.ts';

const partNames: Readonly<Record<PartOfDay, string>> = {
  morning: 'Morning (before midday)',
  afternoon: 'Afternoon (midday to 5pm)',
  evening: 'Evening (after 5pm)',
};

/** How many options of a filter are shown before “More”. */
const seenAtOnce = 5;

/**
 * What the form's filters offer, and how many services each choice would leave. The first kind of need is seen at once, as are all kinds while
 * somebody looks for a need; the others are under “More filters”. @param termNames the names of the chosen terms, which stay chosen even
 * if no service has them
 */
export function formChoices(
  form: FindForm,
  facets: Facets,
  termNames: ReadonlyMap<string, string> = new Map(),
) {
  const { termIds, days, time, availabilities, ways, features, languages } = form;
  const within = form.within ?? defaultMiles;
  const terms = worthOffering(facets.taxonomy_term_id!, termIds, (id) => termNames.get(id) ?? unknownNeed);
  const groups = groupByTaxonomy(terms)
    .map(({ taxonomy, options }) => ({ taxonomy, ...firstAndMore(options) }))
    .toSorted((one, other) => one.taxonomy.localeCompare(other.taxonomy, 'en-GB'));
  const needs = form.need === '' ? groups.slice(0, 1) : groups;
  const moreNeeds = groups.slice(needs.length);
  const kindNames = moreNeeds.map(({ taxonomy }) => taxonomy.toLowerCase());
  const moreTerms = moreNeeds.flatMap(({ first }) => first);
  const isMoreChosen =
    moreTerms.some(({ chosen }) => chosen) ||
    [languages, days, availabilities].some((chosen) => chosen.length > 0) ||
    time !== undefined;
  return {
    needs,
    moreNeeds,
    moreNames: [...kindNames, 'languages', 'days and times', 'availability'].join(', '),
    isMoreChosen,
    ways: worthOffering(facets.way!, ways),
    features: worthOffering(facets.feature!, features),
    languages: firstAndMore(worthOffering(facets.language!, languages)),
    days: worthOffering(facets.day!, days),
    availabilities: worthOffering(facets.capacity!, availabilities),
    times: Object.entries(partNames).map(([value, name]) => ({ value, name, chosen: value === time })),
    distances: [...distancesMiles, 'any' as const].map((miles) => ({
      value: miles,
      name: miles === 'any' ? 'Any distance' : miles === '1' ? '1 mile' : `${miles} miles`,
      chosen: miles === within,
    })),
  };
}

type Option = FacetCount & { chosen: boolean };

/** The values that some service has, and those that are chosen: a box that finds nothing is only in the way. */
function worthOffering(
  counted: readonly FacetCount[],
  chosen: readonly string[],
  nameOf: (value: string) => string = (value) => value,
): Option[] {
  const known = new Set(counted.map(({ value }) => value));
  const missing = chosen.filter((value) => !known.has(value));
  return [...counted, ...missing.map((value) => ({ value, name: nameOf(value), count: 0 }))]
    .map((each) => ({ ...each, chosen: chosen.includes(each.value) }))
    .filter((each) => each.count > 0 || each.chosen);
}

/** The options that are seen at once, the chosen ones among them, and the others by their names. */
function firstAndMore(options: readonly Option[]) {
  const first = options.filter(({ chosen }, index) => chosen || index < seenAtOnce);
  const more = options.filter((each) => !first.includes(each));
  return { first, more: more.toSorted((one, other) => one.name.localeCompare(other.name, 'en-GB')) };
}
