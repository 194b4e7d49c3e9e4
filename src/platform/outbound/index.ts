export { createOutbound, type Outbound } from './create-outbound.ts';
export { faultOfAddress } from './fault-of-address.ts';
export { isWorthAnotherTry, whyBroken } from './judge-call.ts';
export { OutboundError } from './outbound-error.ts';
export {
  createPartnerCall,
  type MutualTls,
  NoAnswer,
  type PartnerAnswer,
  type PartnerCall,
  type PartnerRequest,
} from './partner-call.ts';
export { createStrangerReading, type StrangerReading } from './read-stranger.ts';
export { newSigningSecret, signedHeaders } from './signing.ts';
export {
  type BrokenCall,
  createStrangerCall,
  mayCallStranger,
  type StrangerAnswer,
} from './stranger-call.ts';
