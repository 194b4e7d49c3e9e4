export { momentOf } from './moment-of.ts';

/** The time, as everything in Onward takes it. One clock for all processes of a site: the database's. */
export type Clock = { now(): Date };
