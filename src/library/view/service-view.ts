import { upperFirst } from '../../platform/first-letter.ts';
import { offersOf, wayNames } from '../filter/offers.ts';
import type { Service } from '../model/service.ts';
import { emailLink, phoneViews, webLink } from './links.ts';
import { nearestFirst, type PlaceView, placeView } from './places.ts';
import { plainText } from './plain-text.ts';
import { responsivenessInWords } from './responsiveness-words.ts';
import {
  areaView,
  availabilityView,
  type ListedService,
  openingView,
  uncheckedView,
  type Viewpoint,
} from './result-view.ts';
import { openTimes } from './times.ts';
import { agesInWords, dateInWords, priceInWords } from './words.ts';

/** Everything a link worker needs to know about a service, in plain words. */
export function serviceView(service: ListedService, viewpoint: Viewpoint) {
  const { organization } = service;
  const { now, place } = viewpoint;
  const today = now.day.date;
  return {
    id: service.id,
    name: service.name,
    alternateName: service.alternate_name,
    organization: organization && { name: organization.name, about: plainText(organization.description) },
    organizationLink: webLink(organization?.website),
    description: plainText(service.description),
    alert: plainText(service.alert),
    ages: agesInWords(service.minimum_age, service.maximum_age),
    eligibility: plainText(service.eligibility_description),
    times: openTimes(service.schedules, today),
    opening: openingView(service, viewpoint),
    how: howInWords(service),
    availability: availabilityView(service),
    answers: responsivenessInWords(service.responsiveness)?.text,
    unchecked: uncheckedView(service, viewpoint),
    area: areaView(service, viewpoint),
    places: nearestFirst(service.service_at_locations, place)
      .map((at) => placeView(at, today, place))
      .filter(isWorthShowing),
    areas: (service.service_areas ?? []).map((area) =>
      [area.name, area.description].filter(Boolean).join('. '),
    ),
    costs: costsOf(service),
    applying: plainText(service.application_process),
    documents: (service.required_documents ?? []).flatMap(({ document }) => document ?? []),
    waiting: waitOf(service),
    phones: phoneViews(service.phones),
    email: emailLink(service.email),
    link: webLink(service.url),
    contacts: (service.contacts ?? []).map((contact) => ({
      name: [contact.name, contact.title, contact.department].filter(Boolean).join(', '),
      email: emailLink(contact.email),
      phones: phoneViews(contact.phones),
    })),
    languages: (service.languages ?? []).flatMap(({ name, code }) => name ?? code ?? []),
    interpreters: plainText(service.interpretation_services),
    accreditations: plainText(service.accreditations),
    terms: termsByTaxonomy(service),
    checked: service.assured_date === undefined ? undefined : dateInWords(service.assured_date),
    checkedBy: service.assurer_email,
  };
}

/** Where the availability says nothing of a wait: it is newer, and two waits would contradict each other. */
function waitOf(service: ListedService): string | undefined {
  const availability = availabilityView(service);
  const isSaid = availability && (availability.waiting || service.service_capacity?.status !== 'waitlist');
  return isSaid ? undefined : service.wait_time;
}

function isWorthShowing(place: PlaceView): boolean {
  return Object.values(place).some((value) => (Array.isArray(value) ? value.length > 0 : Boolean(value)));
}

function costsOf({ fees_description, fees, cost_options = [] }: Service): string[] {
  const options = cost_options.map(({ option, amount, currency, amount_description = '' }) => {
    const price = amount === 0 ? 'free' : amount === undefined ? '' : priceInWords(amount, currency);
    const words = amount_description.toLowerCase().startsWith(price)
      ? [amount_description]
      : [price, amount_description];
    return [option, words.filter(Boolean).join(' ')].filter(Boolean).join('. ');
  });
  const fee = plainText(fees_description ?? fees);
  // A feed often says both that the service is free and that it is free for everyone.
  const isFree = /^free\.?$/i.test(fee);
  return [fee, ...options.filter((each) => !(isFree && /^(everyone: )?free$/i.test(each)))].filter(Boolean);
}

function termsByTaxonomy({ attributes = [] }: Service): { taxonomy: string; names: string[] }[] {
  const groups = new Map<string, string[]>();
  for (const { taxonomy_term: term } of attributes) {
    if (!term) continue;
    const taxonomy = term.taxonomy_detail?.name ?? term.taxonomy ?? 'Terms';
    groups.set(taxonomy, [...(groups.get(taxonomy) ?? []), term.name]);
  }
  return [...groups].map(([taxonomy, names]) => ({ taxonomy, names }));
}

/** Groups terms to choose from by their taxonomies. */
export function groupByTaxonomy<T extends { taxonomy?: string | null }>(terms: readonly T[]) {
  return [...Map.groupBy(terms, ({ taxonomy }) => taxonomy ?? 'Other terms')].map(([taxonomy, options]) => ({
    taxonomy,
    options,
  }));
}

/** “At home, by phone”: how people are seen, unless it is only in person. */
function howInWords(service: ListedService): string | undefined {
  const { ways } = offersOf(service);
  if (ways.every((way) => way === 'in-person')) return undefined;
  return upperFirst(ways.map((way) => wayNames[way].toLowerCase()).join(', '));
}
