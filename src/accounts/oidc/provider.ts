import type { Configuration, CustomFetch, IDToken, ServerMetadata } from 'openid-client';
import { createOutbound, type Outbound } from '../../platform/outbound/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { readClientSecret } from './client-secret.ts';
import { createDiscovery } from './discovery.ts';
import { type Person, personOf } from './person.ts';

/** What a flow keeps to itself until the browser comes back. */
export type FlowSecrets = { readonly state: string; readonly nonce: string; readonly verifier: string };

/** The OpenID Connect provider that the settings name. */
export type OidcProvider = {
  readonly name: string;
  readonly issuer: string;
  /** Where to send a browser. `oldestMs`: how long ago the person may have signed in there; 0 asks them to do so anew. */
  signInAddress(secrets: FlowSecrets, oldestMs: number): Promise<string>;
  /** Who came back, with the query of the callback's address. @throws where any check of it fails. */
  redeem(query: string, secrets: FlowSecrets): Promise<Person>;
};

/** @throws StartupError where the client secret cannot be read. The provider itself is asked when first needed. */
export function createProvider(deps: Pick<Platform, 'settings' | 'clock'>): OidcProvider | undefined {
  const { oidcIssuer, oidcClientId, oidcName, baseUrl } = deps.settings;
  if (oidcIssuer === undefined || oidcClientId === undefined) return undefined;
  const callback = `${baseUrl}/signin/oidc/callback`;
  const client = { id: oidcClientId, secret: readClientSecret(deps.settings) };
  const outbound = createOutbound(deps.settings, [new URL(oidcIssuer)]);
  const discovery = createDiscovery(deps, oidcIssuer, outbound);
  const configure = async () => configuration(await discovery.metadata(), client, outbound);

  /** Where one thing that the provider says is wrong, another may be: the next sign-in asks for all of it again. */
  const orForget = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      discovery.forget();
      throw error;
    }
  };

  return {
    name: oidcName,
    issuer: oidcIssuer,
    signInAddress: (secrets, oldestMs) =>
      orForget(async () => {
        const parameters = { redirect_uri: callback, ...(await authorizationParameters(secrets, oldestMs)) };
        const { buildAuthorizationUrl } = await import('openid-client');
        return buildAuthorizationUrl(await configure(), parameters).href;
      }),
    redeem: (query, secrets) =>
      orForget(async () => {
        const address = new URL(callback);
        address.search = query;
        return personOf(oidcIssuer, await redeemCode(await configure(), address, secrets));
      }),
  };
}

/**
 * Made anew for each use, so that the provider's keys are asked for with each sign-in: a key that it has withdrawn is
 * worth nothing from then on, and a new one works at once.
 */
async function configuration(
  metadata: ServerMetadata,
  client: { id: string; secret: string },
  outbound: Outbound,
): Promise<Configuration> {
  const openid = await import('openid-client');
  // In the Authorization header, which is the standard's default; in the body for providers that take nothing else.
  const taken = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const authentication = taken.includes('client_secret_basic')
    ? openid.ClientSecretBasic(client.secret)
    : openid.ClientSecretPost(client.secret);
  const made = new openid.Configuration(metadata, client.id, undefined, authentication);
  made[openid.customFetch] = outbound as CustomFetch;
  openid.enableNonRepudiationChecks(made);
  // The settings let an issuer be plain http on loopback alone; platform/outbound holds every address to the same.
  if (metadata.issuer.startsWith('http:')) openid.allowInsecureRequests(made);
  return made;
}

async function authorizationParameters({ state, nonce, verifier }: FlowSecrets, oldestMs: number) {
  const { calculatePKCECodeChallenge } = await import('openid-client');
  return {
    scope: 'openid',
    response_type: 'code',
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    // Asking for it makes the provider say when the person signed in there.
    max_age: String(oldestMs / 1000),
    ...(oldestMs === 0 && { prompt: 'login' }),
  };
}

async function redeemCode(
  configured: Configuration,
  address: URL,
  { state, nonce, verifier }: FlowSecrets,
): Promise<IDToken> {
  const { authorizationCodeGrant } = await import('openid-client');
  const answer = await authorizationCodeGrant(configured, address, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  });
  return answer.claims()!;
}
