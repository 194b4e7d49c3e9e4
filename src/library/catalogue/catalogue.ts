import type { OtherHours } from '../hours/other-hours.ts';
import type { Range } from '../hours/week.ts';
import { capacities } from '../search/filter-parameters.ts';
import type { Reach } from '../services/reach-store.ts';
import { bytes, Column, floats, whole } from './column.ts';
import { Grid } from './grid.ts';
import { NameOrder } from './name-order.ts';
import { Numbered } from './numbered.ts';
import { PackedTexts } from './packed-texts.ts';
import { Postings } from './postings.ts';
import { Terms } from './terms.ts';
import { TextBlocks } from './text-blocks.ts';
import { Vocabulary } from './vocabulary.ts';
import { Weeks } from './weeks.ts';

/** What a service that is listed is found by. Null is what is not known. */
export type CatalogueRow = {
  id: string;
  name: string;
  modifiedMs: number;
  minimumAge: number | null;
  maximumAge: number | null;
  organizationId: string | null;
  week: string;
  search: string;
  capacity: string | null;
  isClosed: boolean;
  reach: Reach;
  medianDays: number | null;
  /** Whether something outlines the areas that it serves. */
  hasAreas: boolean;
  /** What lists say of it, as JSON text; null where that was never written. */
  summary: string | null;
  places: readonly PlaceRow[];
  hours: readonly HoursRow[];
  termIds: readonly string[];
};

/** One of its locations by its place in the list; 0 stands for having none. Without coordinates they are null. */
export type PlaceRow = {
  number: number;
  x: number | null;
  y: number | null;
  z: number | null;
  week: string;
  /** Whether it is listed among the services at locations. */
  isListed: boolean;
};

/** `number` is that of its place; 0 for the service, wherever it is. `ranges` are those of the week. */
export type HoursRow = Omit<OtherHours, 'during'> & { number: number; ranges: readonly Range[] };

/**
 * The library as lists are made of it: a column for each thing that is asked for, in which a service has its ordinal. A
 * service that changes leaves its ordinal and comes anew, so that what is sorted by ordinals stays sorted.
 */
export class Catalogue {
  live = 0;
  /** Grows with each service that comes or leaves. */
  changes = 0;
  /** How many ordinals were given when it was filled. */
  filled = 0;
  terms = new Terms([]);
  synonyms: ReadonlyMap<string, readonly Meaning[]> = new Map();
  readonly vocabulary = new Vocabulary();
  readonly postings = new Postings();
  readonly weeks = new Weeks();
  readonly grid = new Grid();
  readonly organizations = new PackedTexts();
  readonly termNumbers = new Numbered();

  readonly ids = new PackedTexts();
  readonly names: string[] = [];
  readonly byName = new NameOrder(this);
  readonly isLive = bytes();
  readonly modifiedMs = floats();
  readonly minimumAge = floats();
  readonly maximumAge = floats();
  readonly organization = whole();
  readonly week = whole();
  readonly capacity = bytes();
  readonly isClosed = bytes();
  readonly reach = bytes();
  readonly medianDays = floats();
  readonly hasAreas = bytes();
  readonly summaries = new TextBlocks();
  /** A service's places and terms are those from its own first to the next service's. */
  readonly firstPlace = whole();
  readonly firstTerm = whole();
  readonly term = whole();
  readonly hours = new Map<number, readonly HoursRow[]>();

  readonly owner = whole();
  readonly number = whole();
  readonly x = floats();
  readonly y = floats();
  readonly z = floats();
  readonly weekThere = whole();
  readonly isListed = bytes();

  constructor() {
    this.firstPlace.push(0);
    this.firstTerm.push(0);
  }

  /** How many ordinals there are, those included that services have left. */
  get size(): number {
    return this.ids.count;
  }

  /** Of a service that is still there. */
  ordinalOf(id: string): number | undefined {
    const ordinal = this.ids.find(id);
    return ordinal !== undefined && this.isLive.of[ordinal] === 1 ? ordinal : undefined;
  }

  /** @returns the ordinal that the service left, if it was there. */
  remove(id: string): number | undefined {
    const ordinal = this.ordinalOf(id);
    if (ordinal === undefined) return undefined;
    this.isLive.of[ordinal] = 0;
    this.hours.delete(ordinal);
    this.live -= 1;
    this.changes += 1;
    return ordinal;
  }

  add(row: CatalogueRow): void {
    const ordinal = this.size;
    this.postings.add(ordinal, row.search);
    this.ids.add(row.id);
    this.names.push(row.name);
    this.byName.add(ordinal);
    this.isLive.push(1);
    this.live += 1;
    this.changes += 1;
    this.modifiedMs.push(row.modifiedMs);
    this.minimumAge.push(row.minimumAge ?? -Infinity);
    this.maximumAge.push(row.maximumAge ?? Infinity);
    this.organization.push(this.organizations.numberOf(row.organizationId ?? nobody));
    this.week.push(this.weeks.numberOf(row.week));
    this.capacity.push(row.capacity === null ? 0 : capacityNumber(row.capacity));
    this.isClosed.push(row.isClosed ? 1 : 0);
    this.reach.push(reaches.indexOf(row.reach));
    this.medianDays.push(row.medianDays ?? Infinity);
    this.hasAreas.push(row.hasAreas ? 1 : 0);
    this.summaries.add(row.summary ?? '');
    if (row.hours.length > 0) this.hours.set(ordinal, row.hours);
    for (const id of row.termIds) this.term.push(this.termNumbers.numberOf(id));
    this.firstTerm.push(this.term.length);
    for (const place of row.places) this.#addPlace(ordinal, place);
    this.firstPlace.push(this.owner.length);
  }

  /** It is filled: what it keeps for more is given back. */
  settle(): void {
    this.filled = this.size;
    for (const each of Object.values(this)) if (hasRoom(each)) each.settle();
  }

  #addPlace(ordinal: number, { number, x, y, z, week, isListed }: PlaceRow): void {
    const place = this.owner.length;
    this.owner.push(ordinal);
    this.number.push(number);
    this.x.push(x ?? Number.NaN);
    this.y.push(y ?? Number.NaN);
    this.z.push(z ?? Number.NaN);
    this.weekThere.push(this.weeks.numberOf(week));
    this.isListed.push(isListed ? 1 : 0);
    if (x !== null && y !== null && z !== null) this.grid.add(place, { x, y, z });
  }
}

const hasRoom = (each: unknown) =>
  each instanceof Column ||
  each instanceof PackedTexts ||
  each instanceof Postings ||
  each instanceof TextBlocks ||
  each instanceof Vocabulary;

/** Stands for the organisation of a service that has none. */
const nobody = '';

/** What a saying means: words, each as its stem. */
export type Meaning = { text: string; stems: readonly string[] };

/** What each stands for in its column. */
export const reaches: readonly Reach[] = ['nowhere', 'inbox', 'out'];

/** From 1; 0 stands for what nobody has said. */
export const capacityNumber = (status: string) => capacities.indexOf(status as 'capacity') + 1;
