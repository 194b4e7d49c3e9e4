export { createOutbound, type Outbound } from './create-outbound.ts';
export { createStrangerCall, mayCallStranger, type StrangerAnswer } from './stranger-call.ts';
