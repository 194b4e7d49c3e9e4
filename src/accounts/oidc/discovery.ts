import type { CustomFetch, DiscoveryRequestOptions, ServerMetadata } from 'openid-client';
import type { TrustedFetch } from '../../platform/outbound/index.ts';
import type { Platform } from '../../platform/platform.ts';

const askAgainAfterMs = 60 * 60_000;

/** What a provider says of itself: its addresses, and what it can do. */
export type Discovery = {
  /** Asked for when first needed, and then remembered for a while; of many who need it at once, one asks. */
  metadata(): Promise<ServerMetadata>;
  /** Whoever met a failure calls this: the next sign-in asks anew. */
  forget(): void;
};

/** What the provider at `issuer` says of itself; `outbound` is how it is asked. */
export function createDiscovery(
  { clock }: Pick<Platform, 'clock'>,
  issuer: string,
  outbound: TrustedFetch,
): Discovery {
  let asked: { at: number; metadata: Promise<ServerMetadata> } | undefined;
  return {
    metadata() {
      const now = clock.now().getTime();
      if (asked && now - asked.at < askAgainAfterMs) return asked.metadata;
      const asking = { at: now, metadata: discover(issuer, outbound) };
      asked = asking;
      asking.metadata.catch(() => {
        if (asked === asking) asked = undefined;
      });
      return asking.metadata;
    },
    forget() {
      asked = undefined;
    },
  };
}

async function discover(issuer: string, outbound: TrustedFetch): Promise<ServerMetadata> {
  const openid = await import('openid-client');
  const options: DiscoveryRequestOptions = {
    [openid.customFetch]: outbound as CustomFetch,
    execute: issuer.startsWith('http:') ? [openid.allowInsecureRequests] : [],
  };
  const found = await openid.discovery(new URL(issuer), 'any', undefined, openid.None(), options);
  const metadata = found.serverMetadata();
  // Links are kept under the issuer's name in the settings, so it must be the very name. The library is less strict: it
  // lets Microsoft's shared issuers stand for every organisation there.
  if (metadata.issuer !== issuer)
    throw Object.assign(new Error('the provider calls itself by another name'), { code: 'ISSUER_DIFFERS' });
  return metadata;
}
