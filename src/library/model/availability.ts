import { Type } from 'typebox';
import { momentOf } from '../../platform/clock/index.ts';

/** Whether a service takes new people, in the codes of HSDS 3.1. */
export const availabilities = ['capacity', 'waitlist', 'no-capacity'] as const;
export type Availability = (typeof availabilities)[number];

/** What pages and search facets call them. */
export const availabilityNames = {
  capacity: 'Has places',
  waitlist: 'Waiting list',
  'no-capacity': 'Full',
} as const;

export const availabilitySchema = Type.Object(
  {
    status: Type.Enum(availabilities, {
      title: 'Availability',
      description: 'Whether it takes new people, has them wait, or is full at present.',
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
export type ReportedAvailability = { status: string; waitingTime: string | null; setAt: Date };

export const maxWaitingTimeLength = 200;

/** Reads `service_capacity` in the form in which sites like this one publish it; undefined for anything else. */
export function readReportedAvailability(given: unknown): ReportedAvailability | undefined {
  const { status, waiting_time, updated } = (given ?? {}) as Record<string, unknown>;
  const setAt = typeof updated === 'string' ? momentOf(updated) : undefined;
  const known = availabilities.find((each) => each === status);
  if (known === undefined || !setAt) return undefined;
  const waitingTime = typeof waiting_time === 'string' ? waiting_time.slice(0, maxWaitingTimeLength) : null;
  return { status: known, waitingTime, setAt };
}
