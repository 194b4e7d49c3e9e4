export { allCounters, defineCounter } from './counters.ts';
