export { mayCallTyped, whyNotCall } from './addresses.ts';
export { describeNetworkError, isRetryable, refusesOurCertificate } from './call-outcomes.ts';
export {
  type MutualTls,
  type MutualTlsAnswer,
  type MutualTlsClient,
  type MutualTlsRequest,
  mutualTlsClient,
} from './mutual-tls-client.ts';
export { NoAnswer, OutboundError } from './request.ts';
export { readRetryAfterMs } from './retry-after.ts';
export { scanFile, uploadTimeoutMs } from './scan-file.ts';
export { newSigningSecret, signedHeaders } from './signing.ts';
export { type TrustedFetch, trustedFetch } from './trusted-fetch.ts';
export { type PostAnswer, type ReadAnswer, untrustedPost, untrustedRead } from './untrusted-client.ts';
