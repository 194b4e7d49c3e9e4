export { mayCallTyped, whyNotCall } from './addresses.ts';
export { describeNetworkError, isRetryable, refusesOurCertificate } from './call-outcomes.ts';
export {
  createMutualTlsClient,
  type MutualTls,
  type MutualTlsAnswer,
  type MutualTlsClient,
  type MutualTlsRequest,
} from './mutual-tls-client.ts';
export { NoAnswer, OutboundError } from './request.ts';
export { readRetryAfterMs } from './retry-after.ts';
export { scanFile, uploadTimeoutMs } from './scan-file.ts';
export { newSigningSecret, signedHeaders } from './signing.ts';
export { createTrustedFetch, type TrustedFetch } from './trusted-fetch.ts';
export {
  createUntrustedPost,
  createUntrustedRead,
  type PostAnswer,
  type ReadAnswer,
} from './untrusted-client.ts';
