import { hash } from 'node:crypto';
import { Type } from 'typebox';
import { momentOf } from '../../platform/clock/index.ts';

/** Whether a service takes new people. The codes are those of HL7’s guide for social care, SDOH Clinical Care. */
export const availabilities = [
  'capacity',
  'waitlist',
  'no-capacity',
  'additional-assessment-required',
] as const;
export type Availability = (typeof availabilities)[number];

/**
 * Their names in search facets, in results and on a service’s page. They are also written into feeds and read from them, so they must not
 * change. Pages for editors have `availabilityInSentences`.
 */
export const availabilityNames = {
  capacity: 'Has places',
  waitlist: 'Waiting list',
  'no-capacity': 'Full',
  'additional-assessment-required': 'Needs an assessment first',
} as const satisfies Record<Availability, string>;

export const availabilitySchema = Type.Object(
  {
    status: Type.Enum(availabilities, {
      title: 'Availability',
      description:
        'Whether it takes new people, has them wait, is full at present, or says so only after an assessment of its own.',
    }),
    waiting_time: Type.Optional(Type.String({ description: 'How long people wait, in words.' })),
    updated: Type.String({ format: 'date-time', description: 'When this was last said.' }),
  },
  {
    $id: 'ServiceCapacity',
    description: 'What a service last said of its availability.',
    examples: [{ status: 'waitlist', waiting_time: 'about six weeks', updated: '2026-11-03T10:00:00Z' }],
  },
);

/** A service's availability as its source reports it. */
export type ReportedAvailability = { status: Availability; waitingTime: string | null; setAt: Date };

export const maxWaitingTimeLength = 200;

/** Reads `service_capacity` in the form in which sites like this one publish it; undefined for anything else. */
export function readReportedAvailability(value: unknown): ReportedAvailability | undefined {
  const { status, waiting_time, updated } = (value ?? {}) as Record<string, unknown>;
  const setAt = typeof updated === 'string' ? momentOf(updated) : undefined;
  const known = availabilities.find((each) => each === status);
  if (known === undefined || !setAt) return undefined;
  const waitingTime = typeof waiting_time === 'string' ? waiting_time.slice(0, maxWaitingTimeLength) : null;
  return { status: known, waitingTime, setAt };
}

/** An entry of `capacities`, which HSDS 3.1 has for services: how many units are free, and of how many. */
export const capacitySchema = Type.Object(
  {
    id: Type.String(),
    unit: Type.Object({ id: Type.String(), name: Type.String() }, { description: 'What is counted.' }),
    available: Type.Number({ description: 'How many units were free when it was updated.' }),
    maximum: Type.Optional(Type.Number()),
    description: Type.Optional(Type.String()),
    updated: Type.String({ format: 'date-time' }),
  },
  {
    $id: 'HsdsCapacity',
    description:
      'A capacity of a service, as HSDS 3.1 has it. The entry with the unit “Place for a new person” is this site’s own, and says what `service_capacity` says: `available` is 1 where the service has places, because nobody says how many, and otherwise 0; `description` says the rest. Others are those of the source.',
  },
);

/** The unit by which entries of sites like this one are known. It must never change. */
const placeUnit = { id: '5d0a1c1e-6f0b-4d52-9c3b-2a7f6f0e9b41', name: 'Place for a new person' } as const;

/** The availability that a service last set, as an entry of its `capacities`. */
export function capacityOf(
  serviceId: string,
  {
    status,
    waiting_time,
    updated,
  }: { status: Availability; waiting_time?: string | undefined; updated: string },
) {
  return {
    id: uuidFrom(`capacity of ${serviceId}`),
    unit: placeUnit,
    available: status === 'capacity' ? 1 : 0,
    description: [availabilityNames[status], waiting_time].filter(Boolean).join(': '),
    updated: new Date(updated).toISOString(),
  };
}

/** A UUID made from a text: the same text gives the same id, so readers who store entries find theirs again. */
function uuidFrom(text: string): string {
  const digits = hash('sha256', text);
  const parts = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(12, 15)}`,
    `8${digits.slice(15, 18)}`,
  ];
  return [...parts, digits.slice(18, 30)].join('-');
}

/** Reads `capacities`: the availability that they give, if any, and the entries that are not from a site like this one. */
export function readCapacities(value: unknown): {
  availability: ReportedAvailability | undefined;
  others: unknown;
} {
  if (!Array.isArray(value)) return { availability: undefined, others: value };
  const ours = value.find(isOurs);
  const others = ours ? value.filter((each) => !isOurs(each)) : value;
  const availability = (ours && readOurs(ours)) ?? readOthers(others);
  return { availability, others: ours && others.length === 0 ? undefined : others };
}

/** When the newest of these entries was updated; undefined if none has a date. */
export function newestUpdate(capacities: unknown): Date | undefined {
  return listDatedCapacities(Array.isArray(capacities) ? capacities : []).at(0)?.setAt;
}

const isOurs = (each: unknown) => (each as { unit?: { id?: unknown } } | null)?.unit?.id === placeUnit.id;

function readOurs(ours: unknown): ReportedAvailability | undefined {
  const { description, updated } = ours as { description?: unknown; updated?: unknown };
  if (typeof description !== 'string') return undefined;
  const status = availabilities.find((each) => description.startsWith(availabilityNames[each]));
  const waiting_time = status && description.slice(availabilityNames[status].length).replace(/^: /, '');
  return readReportedAvailability({ status, updated, ...(waiting_time && { waiting_time }) });
}

/** The availability in the entries of other sites: open if any unit that was counted last is free. */
function readOthers(others: readonly unknown[]): ReportedAvailability | undefined {
  const counted = listDatedCapacities(others);
  const [newest] = counted;
  if (!newest) return undefined;
  const isFree = counted.some(
    ({ available, setAt }) => available > 0 && setAt.getTime() === newest.setAt.getTime(),
  );
  return { status: isFree ? 'capacity' : 'no-capacity', waitingTime: null, setAt: newest.setAt };
}

/** The entries that have a count and a date, the newest first. */
function listDatedCapacities(capacities: readonly unknown[]): { available: number; setAt: Date }[] {
  return capacities
    .flatMap((each) => {
      const { available, updated } = (each ?? {}) as { available?: unknown; updated?: unknown };
      const setAt = typeof updated === 'string' ? momentOf(updated) : undefined;
      return typeof available === 'number' && setAt ? [{ available, setAt }] : [];
    })
    .sort((one, other) => other.setAt.getTime() - one.setAt.getTime());
}
