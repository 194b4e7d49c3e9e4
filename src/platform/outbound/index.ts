export { createOutbound, type Outbound } from './create-outbound.ts';
export { createStrangerReading, type StrangerReading } from './read-stranger.ts';
export { createStrangerCall, mayCallStranger, type StrangerAnswer } from './stranger-call.ts';
