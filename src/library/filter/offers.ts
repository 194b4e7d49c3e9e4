import { upperFirst } from '../../platform/first-letter.ts';
import { isVirtual, type Service, type ServiceAtLocation } from '../model/service.ts';

/** Ways of meeting people that need no place. HSDS has them as virtual locations. */
export const remoteWays = ['home', 'phone', 'online'] as const;
export type RemoteWay = (typeof remoteWays)[number];
/** How a service meets people. */
export const ways = ['in-person', ...remoteWays] as const;
export type Way = (typeof ways)[number];
export const wayNames: Readonly<Record<Way, string>> = {
  'in-person': 'In person',
  home: 'At home',
  phone: 'By phone',
  online: 'Online',
};

/** The features that people ask for before they choose a service. */
export const features = ['free', 'step-free', 'hearing-loop', 'self-referral'] as const;
export type Feature = (typeof features)[number];
export const featureNames: Readonly<Record<Feature, string>> = {
  free: 'Free',
  'step-free': 'Step-free',
  'hearing-loop': 'Hearing loop',
  'self-referral': 'Takes self-referrals',
};

export const signLanguage = 'British Sign Language (BSL)';

/** What a service offers, as far as its entry says so for certain. Most entries say little, so it may offer more. */
export type Offers = { ways: Way[]; features: Feature[]; languages: string[] };

export function offersOf(service: Service): Offers {
  return { ways: waysOf(service), features: featuresOf(service), languages: languagesOf(service) };
}

function waysOf(service: Service): Way[] {
  const locations = (service.service_at_locations ?? []).map((at) => ({
    isVirtual: isVirtual(at),
    words: [at.location?.name, at.location?.description, at.description].join('. '),
    hasPlace: at.location?.latitude !== undefined || (at.location?.addresses ?? []).length > 0,
    isPhysical: at.location?.location_type === 'physical',
    isEmpty: at.location === undefined,
  }));
  const attending = (service.schedules ?? []).map(({ attending_type = '' }) =>
    attending_type.toLowerCase().replaceAll(/[-_]/g, ' '),
  );
  const virtual = locations.filter(({ isVirtual }) => isVirtual);
  const about = [service.name, service.description, ...virtual.map(({ words }) => words)].join('. ');
  const isVenue = (text: string) => /venue|in person/.test(text);
  const has: Readonly<Record<Way, boolean>> = {
    'in-person':
      attending.some(isVenue) ||
      locations.some((each) => !each.isVirtual && !each.isEmpty && (each.isPhysical || each.hasPlace)),
    home: attending.some((text) => /home/.test(text)) || says(about, atHome),
    phone:
      attending.some((text) => /phone/.test(text)) ||
      virtual.some(({ words }) => says(words, phoneAtVirtualPlace)) ||
      says(about, phoneInDescription),
    online:
      attending.some((text) => /online|virtual|video/.test(text)) ||
      virtual.some(({ words }) => wayInWords(words) === 'online' || says(words, onScreen)) ||
      says(about, onlineInDescription),
  };
  return ways.filter((way) => has[way]);
}

/** How people are seen at a virtual location. A location that does not say counts as online. */
export function wayOfVirtualPlace({ location, description }: ServiceAtLocation): RemoteWay {
  return wayInWords([location?.name, location?.description, description].join('. '));
}

function wayInWords(words: string): RemoteWay {
  if (says(words, atHome)) return 'home';
  return says(words, phoneAtVirtualPlace) ? 'phone' : 'online';
}

/** How people are seen at virtual locations, for where a list says the place: “By phone or online”. */
export function virtualPlacesInWords(places: readonly ServiceAtLocation[]): string {
  const ways = new Set(places.flatMap(waysOfVirtualPlace));
  const words = remoteWays.filter((way) => ways.has(way)).map((way) => wayNames[way].toLowerCase());
  return upperFirst(orList.format(words));
}

const orList = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** How people may be seen at a virtual location. If its entry does not say, this may be by phone as well. */
function waysOfVirtualPlace({ location, description }: ServiceAtLocation): RemoteWay[] {
  const words = [location?.name, location?.description, description].join('. ');
  const has = {
    home: says(words, atHome),
    phone: says(words, phoneAtVirtualPlace),
    online: says(words, onScreen),
  };
  const ways = remoteWays.filter((way) => has[way]);
  if (ways.length > 0) return ways;
  return location?.url === undefined ? ['phone', 'online'] : ['online'];
}

const atHome =
  /\b(?:visits? (?:to )?you (?:at|in your(?: own)?) home|visits? (?:people |you )?at home|home visits?|home visiting|come to your (?:own )?home|in your own home|at your home)\b/i;
const phoneAtVirtualPlace = /\b(?:tele)?phone|\bhelpline|\bsupport line|\bcalls?\b/i;
const phoneInDescription =
  /\b(?:help ?line|(?:tele)?phone (?:support|befriending|counselling|advice|appointments?)|(?:support|counselling|advice|befriending) (?:by|over the|on the) (?:tele)?phone)\b/i;
const onScreen = /\b(?:online|video|web ?chat|zoom|teams)\b/i;
const onlineInDescription =
  /\b(?:online (?:group|course|session|support|counselling|class|appointment|meeting|and telephone appointment)s?|by video|on zoom|over zoom|web ?chat|video (?:sessions|appointments))\b/i;

const maxLength = 20_000;

/** Whether a sentence has these words, and does not deny them. */
function says(text: string, words: RegExp): boolean {
  return sentencesOf(text).some((sentence) => words.test(sentence) && !denial.test(sentence));
}

const denial =
  /\b(?:no|not|cannot|can['’]t|don['’]t|doesn['’]t|isn['’]t|aren['’]t|never|unable|without|un(?:suitable|available))\b/i;

function sentencesOf(text: string): string[] {
  return text.slice(0, maxLength).split(/[.;!?\n]+/);
}

function featuresOf(service: Service): Feature[] {
  const about = accessibilityOf(service);
  const has: Readonly<Record<Feature, boolean>> = {
    free: isFree(service),
    'step-free': about.some((text) => says(text, withoutSteps)),
    'hearing-loop': about.some((text) =>
      says(text, /\b(?:hearing (?:induction )?loop|induction loop|loop system)\b/i),
    ),
    'self-referral': takesSelfReferrals(service.application_process ?? ''),
  };
  return features.filter((feature) => has[feature]);
}

const withoutSteps =
  /\bstep[- ]free\b|\blevel (?:access|entrance|entry)\b|\bwheelchair[- ](?:accessible|access)\b|\bramp (?:to|at)\b/i;

function accessibilityOf({ service_at_locations = [], attributes = [] }: Service): string[] {
  const places = service_at_locations.flatMap(({ location }) =>
    (location?.accessibility ?? []).map(({ description, details }) => [description, details].join('. ')),
  );
  return [...places, ...attributes.flatMap(({ taxonomy_term }) => taxonomy_term?.name ?? [])];
}

/** Free for everybody: a price for somebody else, or only at first, is not. */
function isFree({ fees_description, fees, cost_options = [] }: Service): boolean {
  const text = (fees_description ?? fees ?? '').trim();
  if (/[£\d]|\botherwise\b|\bfrom\b/i.test(text)) return false;
  if (cost_options.some(({ amount }) => amount !== 0)) return false;
  const saysFree =
    /^(?:it is |the service is )?(?:completely |always )?(?:free|no (?:charge|cost|fee))(?: of charge)?(?:$|[.,;!])/i;
  return text === '' ? cost_options.length > 0 && cost_options.every(isForEverybody) : saysFree.test(text);
}

function isForEverybody({ option = '' }: NonNullable<Service['cost_options']>[number]): boolean {
  return option === '' || /^(?:everyone|everybody|all|free)$/i.test(option.trim());
}

const selfReferral =
  /\bself[- ]referr?|\brefer yourself|\b(?:by|for) yourself|\b(?:in touch|contact us|ask) yourself|\bwalk in\b|\bdrop in\b|\bturn up\b|\bcome along\b/i;

function takesSelfReferrals(text: string): boolean {
  return sentencesOf(text).some(
    (sentence) =>
      /\bno referral (?:is )?(?:needed|required|necessary)/i.test(sentence) || says(sentence, selfReferral),
  );
}

const languageNames = new Intl.DisplayNames('en-GB', { type: 'language', fallback: 'none' });

/** Languages besides English, by their names. */
function languagesOf({
  languages = [],
  interpretation_services = '',
  service_at_locations = [],
}: Service): string[] {
  const entries = [
    ...languages,
    ...service_at_locations.flatMap(({ location }) => location?.languages ?? []),
  ];
  const names = entries.flatMap(({ name, code }) => languageName(name, code) ?? []);
  const signs = says(interpretation_services, /\bBSL\b|\bBritish Sign Language\b/i) ? [signLanguage] : [];
  return [...new Set([...names, ...signs])]
    .filter((name) => !/^english$/i.test(name))
    .toSorted()
    .slice(0, maxLanguages);
}

const maxLanguages = 100;
const maxNameLength = 60;

/** The name of a language as pages show it; undefined if the entry names none. */
export function languageName(name = '', code = ''): string | undefined {
  if (/^(?:bsl|british sign language.*)$/i.test(name.trim()) || code === 'bfi') return signLanguage;
  const text = name.trim() || displayName(code.trim());
  if (text === undefined || text === '' || text.length > maxNameLength) return undefined;
  return upperFirst(text);
}

/** The name for a code of a language; undefined if there is no such code. */
function displayName(code: string): string | undefined {
  try {
    return languageNames.of(code);
  } catch {
    return undefined;
  }
}
