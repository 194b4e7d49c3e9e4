import type { Settings } from '../../platform/settings/index.ts';

/** This site, as passkeys know it (https://www.w3.org/TR/webauthn-3/#relying-party). */
export type RelyingParty = { readonly id: string; readonly name: string; readonly origin: string };

/**
 * The relying party, from the settings alone: with the host of a request another site could pretend to be this one.
 * Undefined if browsers have no passkeys: over plain http, except at `localhost`, and at an address without a name.
 */
export function relyingParty(settings: Settings): RelyingParty | undefined {
  const { hostname, protocol } = new URL(settings.baseUrl);
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  const isNumber = /^[\d.]+$|^\[/.test(hostname);
  if (!isLocal && (protocol !== 'https:' || isNumber)) return undefined;
  return { id: hostname, name: settings.siteName, origin: settings.baseUrl };
}

/** The name of the outside provider on pages; undefined if the site has none. */
export function providerName({ oidcIssuer, oidcName }: Settings): string | undefined {
  return oidcIssuer === undefined ? undefined : oidcName;
}
