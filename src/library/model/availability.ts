import { Type } from 'typebox';
import { momentOf } from '../../platform/clock/index.ts';

/** What a service says of its room for new people. */
export const availabilities = ['capacity', 'waitlist', 'no-capacity'] as const;
export type Availability = (typeof availabilities)[number];

/** What each is called on pages, and where search results are counted by it. */
export const availabilityNames = {
  capacity: 'Has room',
  waitlist: 'Waiting list',
  'no-capacity': 'No room',
} as const;

export const availabilitySchema = Type.Object(
  {
    status: Type.Enum(availabilities, {
      description: 'Whether it has room for new people, has them wait, or takes nobody new at present.',
    }),
    waiting_time: Type.Optional(Type.String({ description: 'How long people wait, in words.' })),
    updated: Type.String({ format: 'date-time', description: 'When this was last said.' }),
  },
  {
    $id: 'ServiceCapacity',
    description: 'What a service last said of its room for new people.',
    examples: [{ status: 'waitlist', waiting_time: 'about six weeks', updated: '2026-11-03T10:00:00Z' }],
  },
);

/** What a source says of the room that a service has. */
export type ReportedAvailability = { status: string; waitingTime: string | null; saidAt: Date };

const maxWaitingTimeLength = 200;

/** A service's `service_capacity`, as sites like this one give it; none where it is anything else. */
export function readReportedAvailability(given: unknown): ReportedAvailability | undefined {
  const { status, waiting_time, updated } = (given ?? {}) as Record<string, unknown>;
  const saidAt = typeof updated === 'string' ? momentOf(updated) : undefined;
  const known = availabilities.find((each) => each === status);
  if (known === undefined || !saidAt) return undefined;
  const waitingTime = typeof waiting_time === 'string' ? waiting_time.slice(0, maxWaitingTimeLength) : null;
  return { status: known, waitingTime, saidAt };
}
