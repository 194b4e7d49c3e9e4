import type { Settings } from '../platform/settings/index.ts';

/** What the outside provider is called on pages that offer it; undefined where the site has none. */
export function providerName({ oidcIssuer, oidcName }: Settings): string | undefined {
  return oidcIssuer === undefined ? undefined : oidcName;
}
