/** The time, as everything in Onward takes it. One clock for all processes of a site: the database's. */
export type Clock = { now(): Date };

/** This machine's own clock: for what no other process compares (durations, the log). */
export const systemClock: Clock = { now: () => new Date() };
