import type { CustomFetch, DiscoveryRequestOptions, ServerMetadata } from 'openid-client';
import { hourMs } from '../../platform/durations.ts';
import type { TrustedFetch } from '../../platform/outbound/index.ts';
import type { Platform } from '../../platform/platform.ts';

const metadataMaxAgeMs = hourMs;

/** The metadata that a provider publishes: its addresses, and the features it supports. */
export type Discovery = {
  /** Fetched when first needed and kept for an hour; calls at the same time share one request. */
  metadata(): Promise<ServerMetadata>;
  /** Call it after a failure, so that the next sign-in fetches it again. */
  forget(): void;
};

export function createDiscovery(
  { clock }: Pick<Platform, 'clock'>,
  issuer: string,
  outbound: TrustedFetch,
): Discovery {
  let fetched: { at: number; metadata: Promise<ServerMetadata> } | undefined;
  return {
    metadata() {
      const now = clock.now().getTime();
      if (fetched && now - fetched.at < metadataMaxAgeMs) return fetched.metadata;
      const current = { at: now, metadata: discover(issuer, outbound) };
      fetched = current;
      current.metadata.catch(() => {
        if (fetched === current) fetched = undefined;
      });
      return current.metadata;
    },
    forget() {
      fetched = undefined;
    },
  };
}

async function discover(issuer: string, outbound: TrustedFetch): Promise<ServerMetadata> {
  const openid = await import('openid-client');
  const options: DiscoveryRequestOptions = {
    [openid.customFetch]: outbound as CustomFetch,
    execute: issuer.startsWith('http:') ? [openid.allowInsecureRequests] : [],
  };
  const configuration = await openid.discovery(new URL(issuer), 'any', undefined, openid.None(), options);
  const metadata = configuration.serverMetadata();
  // Links are stored under the issuer of the settings, so the two must be equal. The library is less strict: it accepts
  // Microsoft's shared issuers for every organisation there.
  if (metadata.issuer !== issuer)
    throw Object.assign(new Error('the provider calls itself by another name'), { code: 'ISSUER_DIFFERS' });
  return metadata;
}
