import type { Settings } from '../../platform/settings/index.ts';

/** This site as passkeys know it (https://www.w3.org/TR/webauthn-3/#relying-party). */
export type RelyingParty = { readonly id: string; readonly name: string; readonly origin: string };

/**
 * Undefined where browsers have no passkeys: over plain http, but for a computer's own `localhost`, and at a bare number.
 * Only the settings say where the site is; what a request says of it would let another site stand in for it.
 */
export function relyingParty(settings: Settings): RelyingParty | undefined {
  const { hostname, protocol } = new URL(settings.baseUrl);
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  const isNumber = /^[\d.]+$|^\[/.test(hostname);
  if (!isLocal && (protocol !== 'https:' || isNumber)) return undefined;
  return { id: hostname, name: settings.siteName, origin: settings.baseUrl };
}
