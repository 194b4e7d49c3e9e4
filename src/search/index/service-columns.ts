import {
  availabilities,
  type DeliveryMode,
  dayCodes,
  features,
  minutesPerDay,
  type OtherHours,
  type Range,
  ways,
  weekRanges,
} from '../../library/index.ts';
import { bytes, floats, integers, ListColumn, Numbering } from './columns.ts';

/** A listed service as the index takes it from PostgreSQL. Null means not known. */
export type IndexedService = {
  id: string;
  /** In lower case, without accents. */
  name: string;
  modifiedMs: number;
  /** The day on which somebody last checked the entry, or wrote it if that is not known, as the milliseconds of its beginning. */
  checkedMs: number;
  minimumAge: number | null;
  maximumAge: number | null;
  organizationId: string | null;
  /** Its weekly opening hours, as an `int4multirange` of minutes. */
  week: string;
  /** Its words, as a `tsvector`. */
  search: string;
  availability: string | null;
  takesNoReferrals: boolean;
  deliveryMode: DeliveryMode;
  medianDays: number | null;
  /** Whether at least one of its areas has an outline. */
  hasOutlinedArea: boolean;
  /** Whether at least one of its areas has none. */
  hasUnclearAreas: boolean;
  /** The postcodes that the words of its areas name, and whether they are the whole area. */
  areaCodes: readonly string[];
  isWholeArea: boolean;
  ways: readonly string[];
  features: readonly string[];
  /** Names of languages. */
  languages: readonly string[];
  /** The service as lists show it; null if none was stored. */
  summary: Readonly<Record<string, unknown>> | null;
  places: readonly IndexedPlace[];
  hours: readonly IndexedHours[];
  termIds: readonly string[];
};

/** A service in this process: its index in every column. A new service takes the number of one that was removed. */
export type ServiceNumber = number;

/** A place in the column `places`: the index of the first of its numbers there. */
export type PlaceIndex = number;

/** One of a service's locations, by its number in the list; 0 is for a service without any. */
export type IndexedPlace = {
  number: number;
  x: number | null;
  y: number | null;
  z: number | null;
  week: string;
  /** Whether it is listed among the services at locations. */
  isListed: boolean;
};

/** Opening hours that are not the same every week: of the place with this number, or of the service itself (0). */
export type IndexedHours = OtherHours & { number: number };
/** Other opening hours, with the ranges of `during` as numbers. */
export type ReadHours = Omit<IndexedHours, 'during'> & { ranges: readonly Range[] };

/** What the numbers of a place in the column `places` are, one after another. */
export const placeOffsets = { service: 0, number: 1, isListed: 2, week: 3, x: 4, y: 5, z: 6 } as const;
export const numbersPerPlace = 7;

const deliveryModes: readonly DeliveryMode[] = ['nowhere', 'inbox', 'external'];
export const deliveryModeNumber = (mode: DeliveryMode) => deliveryModes.indexOf(mode);
/** A number for each availability, from 1; 0 if nobody has said. */
export const availabilityNumber = (status: string | null) =>
  (availabilities as readonly (string | null)[]).indexOf(status) + 1;

/** What services are filtered, sorted and listed by, a column for each property. */
export class ServiceColumns {
  readonly organizations = new Numbering();
  readonly termNumbers = new Numbering();
  readonly weekNumbers = new Numbering();
  /** Opening weeks by their numbers. Services share them: England has a few thousand. */
  readonly weeks: (readonly Range[])[] = [[]];
  /** For each week, the days with any opening, a bit for each day. */
  readonly openDayMasks: number[] = [0];

  readonly ids: string[] = [];
  readonly names: string[] = [];
  readonly summaries: IndexedService['summary'][] = [];
  readonly modifiedMs = floats();
  readonly checkedMs = floats();
  readonly minimumAge = floats();
  readonly maximumAge = floats();
  readonly organization = integers();
  readonly week = integers();
  readonly availability = bytes();
  readonly takesNoReferrals = bytes();
  readonly deliveryMode = bytes();
  readonly medianDays = floats();
  readonly hasOutlinedArea = bytes();
  readonly hasUnclearAreas = bytes();
  readonly areaCodeNumbers = new Numbering();
  readonly areaCodes = new ListColumn(integers());
  readonly isWholeArea = bytes();
  /** A bit for each. */
  readonly ways = bytes();
  readonly features = bytes();
  readonly languageNumbers = new Numbering();
  readonly languages = new ListColumn(integers());
  readonly terms = new ListColumn(integers());
  readonly places = new ListColumn(floats());
  readonly otherHours = new Map<ServiceNumber, readonly ReadHours[]>();

  put(service: ServiceNumber, row: IndexedService): void {
    this.ids[service] = row.id;
    this.names[service] = row.name;
    this.summaries[service] = row.summary;
    this.modifiedMs.set(service, row.modifiedMs);
    this.checkedMs.set(service, row.checkedMs);
    this.minimumAge.set(service, row.minimumAge ?? -Infinity);
    this.maximumAge.set(service, row.maximumAge ?? Infinity);
    this.organization.set(service, this.organizations.numberOf(row.organizationId ?? ''));
    this.week.set(service, this.#weekNumber(row.week));
    this.availability.set(service, availabilityNumber(row.availability));
    this.takesNoReferrals.set(service, Number(row.takesNoReferrals));
    this.deliveryMode.set(service, deliveryModeNumber(row.deliveryMode));
    this.medianDays.set(service, row.medianDays ?? Infinity);
    this.hasOutlinedArea.set(service, Number(row.hasOutlinedArea));
    this.hasUnclearAreas.set(service, Number(row.hasUnclearAreas));
    this.areaCodes.set(
      service,
      row.areaCodes.map((code) => this.areaCodeNumbers.numberOf(code)),
    );
    this.isWholeArea.set(service, Number(row.isWholeArea));
    this.ways.set(service, bitsOf(ways, row.ways));
    this.features.set(service, bitsOf(features, row.features));
    this.languages.set(
      service,
      row.languages.map((name) => this.languageNumbers.numberOf(name)),
    );
    this.terms.set(
      service,
      row.termIds.map((id) => this.termNumbers.numberOf(id)),
    );
    this.places.set(
      service,
      row.places.flatMap(({ number, isListed, week, x, y, z }) => [
        service,
        number,
        Number(isListed),
        this.#weekNumber(week),
        x ?? Number.NaN,
        y ?? Number.NaN,
        z ?? Number.NaN,
      ]),
    );
    const hours = row.hours.map(({ during, ...each }) => ({ ...each, ranges: rangesIn(during) }));
    if (hours.length > 0) this.otherHours.set(service, hours);
    else this.otherHours.delete(service);
  }

  remove(service: ServiceNumber): void {
    this.summaries[service] = null;
    this.terms.set(service, []);
    this.areaCodes.set(service, []);
    this.languages.set(service, []);
    this.places.set(service, []);
    this.otherHours.delete(service);
  }

  #weekNumber(text: string): number {
    const number = this.weekNumbers.numberOf(text);
    if (number === this.weeks.length) {
      this.weeks.push(rangesIn(text));
      this.openDayMasks.push(dayMaskOf(this.weeks[number]!));
    }
    return number;
  }
}

/** A bit for each of the known values that are given. */
export function bitsOf(known: readonly string[], values: readonly string[]): number {
  return known.reduce((bits, value, index) => (values.includes(value) ? bits | (1 << index) : bits), 0);
}

/** The ranges of a multirange as PostgreSQL writes it: `{[540,1020),[1980,2460)}`. */
function rangesIn(text: string): Range[] {
  return [...text.matchAll(/\[(\d+),(\d+)\)/g)].map(([, from, to]) => [Number(from), Number(to)] as const);
}

const wholeDays = dayCodes.map((_, day) => weekRanges(day, 0, minutesPerDay));

/** A bit for each day on which the open times overlap the wanted ones. */
export function dayMaskOf(
  open: readonly Range[],
  wantedOfDays: readonly (readonly Range[])[] = wholeDays,
): number {
  return wantedOfDays.reduce(
    (mask, wanted, day) => (rangesOverlap(open, wanted) ? mask | (1 << day) : mask),
    0,
  );
}

export function rangesOverlap(some: readonly Range[], others: readonly Range[]): boolean {
  for (const one of some) {
    for (const other of others) if (one[0] < other[1] && other[0] < one[1]) return true;
  }
  return false;
}
