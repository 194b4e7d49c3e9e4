import { featureNames, offersOf, wayNames } from '../filter/offers.ts';
import { servicePath } from './links.ts';
import { nearestFirst, shortPlace } from './places.ts';
import { answerTimeInWords, shareInWords } from './responsiveness-words.ts';
import type { ListedService, Viewpoint } from './result-view.ts';
import { serviceView } from './service-view.ts';

/** What people compare services by: the answer to each question, or nothing where it is not known. */
export type ComparedFacts = ReturnType<typeof comparedFacts>;

/** One of several services that people compare. */
export function compareView(service: ListedService, viewpoint: Viewpoint) {
  const view = serviceView(service, viewpoint);
  return {
    id: view.id,
    name: view.name,
    organization: view.organization?.name,
    path: servicePath(service.id),
    facts: comparedFacts(service, viewpoint),
    phones: view.phones,
    email: breakable(view.email),
    link: breakable(view.link),
  };
}

/** A long address breaks in a narrow column, and is read most easily if its parts stay whole. */
function breakable<Link extends { text: string }>(link: Link | undefined) {
  return link && { ...link, parts: link.text.split(/(?<=[@./])/) };
}

function comparedFacts(service: ListedService, viewpoint: Viewpoint) {
  const view = serviceView(service, viewpoint);
  const { ways, features, languages } = offersOf(service);
  const share = service.responsiveness?.share_accepted;
  const days = service.responsiveness?.median_days;
  const access = [
    ...features.filter((each) => each !== 'free').map((each) => featureNames[each]),
    ...languages,
  ];
  const place = shortPlace(nearestFirst(service.service_at_locations, viewpoint.place));
  const distance = view.places[0]?.distance;
  return {
    where: place || distance || view.area ? { place, distance, area: view.area } : undefined,
    how: ways.length > 0 ? ways.map((way) => wayNames[way]) : undefined,
    forWhom: forWhom(view.ages, view.eligibility),
    when: view.times.length > 0 ? view.times : undefined,
    cost: view.costs.length > 0 ? view.costs : undefined,
    wait:
      view.availability || view.waiting
        ? { availability: view.availability, waiting: view.waiting }
        : undefined,
    accepted:
      share === undefined
        ? undefined
        : {
            share: shareInWords(share),
            answersWithin: days === undefined ? undefined : answerTimeInWords(days),
          },
    access: access.length > 0 ? access : undefined,
  };
}

/** The ages only where the text does not begin with them, which it often does. */
function forWhom(ages: string | undefined, eligibility: string): string[] | undefined {
  const isRepeated = ages !== undefined && eligibility.toLowerCase().includes(ages.toLowerCase());
  const lines = [isRepeated ? '' : (ages ?? ''), eligibility].filter(Boolean);
  return lines.length > 0 ? lines : undefined;
}
