export { createOutbound, type Outbound } from './create-outbound.ts';
