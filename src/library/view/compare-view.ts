import { featureNames, offersOf, wayNames } from '../filter/offers.ts';
import { servicePath } from './links.ts';
import { nearestFirst, shortPlace } from './places.ts';
import { answerTimeInWords, shareInWords } from './responsiveness-words.ts';
import type { ListedService, Viewpoint } from './result-view.ts';
import { serviceView } from './service-view.ts';

/** What people compare services by. */
export function compareView(service: ListedService, viewpoint: Viewpoint) {
  const view = serviceView(service, viewpoint);
  const { ways, features, languages } = offersOf(service);
  const share = service.responsiveness?.share_accepted;
  const days = service.responsiveness?.median_days;
  return {
    id: view.id,
    name: view.name,
    organization: view.organization?.name,
    path: servicePath(service.id),
    place: shortPlace(nearestFirst(service.service_at_locations, viewpoint.place)),
    distance: view.places[0]?.distance,
    area: view.area,
    ways: ways.map((way) => wayNames[way]),
    ages: view.ages,
    eligibility: view.eligibility,
    times: view.times,
    costs: view.costs,
    availability: view.availability,
    waiting: view.waiting,
    accepts: share === undefined ? undefined : shareInWords(share),
    answersWithin: days === undefined ? undefined : answerTimeInWords(days),
    features: features.filter((each) => each !== 'free').map((each) => featureNames[each]),
    languages,
    phones: view.phones,
    email: view.email,
    link: view.link,
  };
}
