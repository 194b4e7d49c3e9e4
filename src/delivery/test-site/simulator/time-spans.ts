import { Type } from 'typebox';
import { dayMs, hourMs } from '../../../platform/durations.ts';

/** By how much users of a test site move time on; `next` is until the next thing happens. */
export const timeSpans = ['hour', 'day', 'next'] as const;
export type TimeSpan = (typeof timeSpans)[number];

export const spanLengthsMs: Readonly<Record<Exclude<TimeSpan, 'next'>, number>> = {
  hour: hourMs,
  day: dayMs,
};

export const timeSpanSchema = Type.Enum([...timeSpans], {
  title: 'TimeSpan',
  description: 'An hour, a day, or as long as it takes to what is next.',
});
