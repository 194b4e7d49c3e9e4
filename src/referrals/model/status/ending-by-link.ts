import { hourMs } from '../../../platform/durations.ts';

/** How long the referrer can check an ending by link. The GP practice is told of it only after that. */
export const checkTimeMs = 24 * hourMs;
