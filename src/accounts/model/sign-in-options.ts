import { defineProblem } from '../../platform/problem/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import type { Role } from './account.ts';

export const secondFactorRequired = defineProblem({
  type: 'second-factor-required',
  status: 409,
  title: 'This site asks for a second factor',
});

export const lastWayToSignIn = defineProblem({
  type: 'last-way-to-sign-in',
  status: 409,
  title: 'This is the only way you can sign in',
});

/** Whether the site asks somebody with these roles for a second factor. */
export function mustHaveFactor({ secondFactor }: Settings, roles: readonly Role[]): boolean {
  return secondFactor === 'everybody' || (secondFactor === 'operators' && roles.includes('operator'));
}

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

/** What the outside provider is called on pages that offer it; undefined where the site has none. */
export function providerName({ oidcIssuer, oidcName }: Settings): string | undefined {
  return oidcIssuer === undefined ? undefined : oidcName;
}
