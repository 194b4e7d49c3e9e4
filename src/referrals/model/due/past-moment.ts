import { localTime } from '../../../platform/clock/index.ts';
import { minuteMs } from '../../../platform/durations.ts';
import type { FieldError } from '../../../platform/problem/index.ts';
import { addDaysOf24Hours } from './dates.ts';

/** How long ago somebody may have judged that a child can decide. */
export const limitOfJudgement = { maxDays: 3653, inWords: '10 years' } as const;

/** A moment that is to come, long past or before the person was born is a typing mistake or a broken clock. The days count back from `askedAt`. */
export function momentErrors(
  {
    pointer,
    moment,
    maxDays,
    inWords,
    askedAt,
  }: { pointer: string; moment: string; maxDays: number; inWords: string; askedAt?: Date },
  bornOn: string | undefined,
  at: Date,
): FieldError[] {
  // A minute, because the caller's clock may be a little ahead of ours.
  if (Date.parse(moment) > at.getTime() + minuteMs)
    return [{ pointer, message: 'must not be in the future', code: 'in-future' }];
  if (Date.parse(moment) < addDaysOf24Hours(askedAt ?? at, -maxDays).getTime())
    return [{ pointer, message: `must be at most ${inWords} ago`, code: 'too-long-ago' }];
  if (bornOn !== undefined && localTime(new Date(moment)).day.date < bornOn)
    return [{ pointer, message: 'must not be before the date of birth', code: 'before-birth' }];
  return [];
}
