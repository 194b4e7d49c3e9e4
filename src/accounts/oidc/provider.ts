import type { Configuration, CustomFetch, IDToken, ServerMetadata } from 'openid-client';
import { machineSkewMs } from '../../platform/clock/index.ts';
import { createTrustedFetch, type TrustedFetch } from '../../platform/outbound/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { StartupError } from '../../platform/process/startup-error.ts';
import { readSecretFile, type Settings } from '../../platform/settings/index.ts';
import { createDiscovery } from './discovery.ts';

/** The secrets of a flow, which are stored until the browser comes back. */
export type FlowSecrets = { readonly state: string; readonly nonce: string; readonly verifier: string };

/** The OpenID Connect provider that the settings name. */
export type OidcProvider = {
  readonly name: string;
  readonly issuer: string;
  /** The address to send a browser to. `maxAgeMs` is how long ago the person may have signed in there; 0 asks again. */
  signInAddress(secrets: FlowSecrets, maxAgeMs: number): Promise<string>;
  /** The person who came back, from the query of the callback's address. @throws if a check fails. */
  redeem(query: string, secrets: FlowSecrets): Promise<Person>;
};

/** @throws StartupError if the client secret cannot be read. The provider is called only when it is needed. */
export function createProvider(deps: Pick<Platform, 'settings' | 'clock'>): OidcProvider | undefined {
  const { oidcIssuer, oidcClientId, oidcName, baseUrl } = deps.settings;
  if (oidcIssuer === undefined || oidcClientId === undefined) return undefined;
  const callback = `${baseUrl}/signin/oidc/callback`;
  const client = { id: oidcClientId, secret: readClientSecret(deps.settings) };
  const outbound = createTrustedFetch(deps.settings, [new URL(oidcIssuer)]);
  const discovery = createDiscovery(deps, oidcIssuer, outbound);
  const configureClient = async () => buildConfiguration(deps, await discovery.metadata(), client, outbound);

  /** After a failure the provider's metadata may be out of date, so the next sign-in fetches it again. */
  const forgetOnFailure = async <T>(work: () => Promise<T>): Promise<T> => {
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
    signInAddress: (secrets, maxAgeMs) =>
      forgetOnFailure(async () => {
        const parameters = { redirect_uri: callback, ...(await authorizationParameters(secrets, maxAgeMs)) };
        const { buildAuthorizationUrl } = await import('openid-client');
        return buildAuthorizationUrl(await configureClient(), parameters).href;
      }),
    redeem: (query, secrets) =>
      forgetOnFailure(async () => {
        const address = new URL(callback);
        address.search = query;
        const claims = await redeemCode(await configureClient(), address, secrets);
        requireAuthorisedParty(claims, client.id);
        return personOf(claims, oidcIssuer, deps.clock.now());
      }),
  };
}

/** Made for each sign-in, so that the provider's keys are fetched each time: a withdrawn key stops working at once. */
async function buildConfiguration(
  { clock }: Pick<Platform, 'clock'>,
  metadata: ServerMetadata,
  client: { id: string; secret: string },
  outbound: TrustedFetch,
): Promise<Configuration> {
  const openid = await import('openid-client');
  // In the Authorization header, as is the standard's default, or in the body for providers that accept nothing else.
  const accepted = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const authentication = accepted.includes('client_secret_basic')
    ? openid.ClientSecretBasic(client.secret)
    : openid.ClientSecretPost(client.secret);
  // The library uses the machine's clock, so it is told how far that is from the database's.
  const times = { [openid.clockSkew]: -machineSkewMs(clock) / 1000 };
  const configured = new openid.Configuration(metadata, client.id, times, authentication);
  configured[openid.customFetch] = outbound as CustomFetch;
  openid.enableNonRepudiationChecks(configured);
  // The settings allow plain http only on loopback, and platform/outbound checks every address.
  if (metadata.issuer.startsWith('http:')) openid.allowInsecureRequests(configured);
  return configured;
}

async function authorizationParameters({ state, nonce, verifier }: FlowSecrets, maxAgeMs: number) {
  const { calculatePKCECodeChallenge } = await import('openid-client');
  return {
    scope: 'openid',
    response_type: 'code',
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    // With it the provider also says when the person signed in there.
    max_age: String(maxAgeMs / 1000),
    ...(maxAgeMs === 0 && { prompt: 'login' }),
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

/** The library checks `azp` only if there are several audiences. A token for another client is refused as well. */
function requireAuthorisedParty({ azp }: IDToken, clientId: string): void {
  if (azp === undefined || azp === clientId) return;
  throw Object.assign(new Error('the ID token was made for another client'), { code: 'OTHER_PARTY' });
}

/** The secret that the provider gave this site. @throws StartupError if its file holds none. */
function readClientSecret({ oidcClientSecretFile }: Settings): string {
  const secret = readSecretFile(oidcClientSecretFile!);
  if (secret !== undefined && secret.length > 0 && secret.length <= 1000) return secret;
  throw new StartupError(
    'ONWARD_OIDC_CLIENT_SECRET_FILE must name a file that holds the client secret and can be read. ' +
      'For example: ONWARD_OIDC_CLIENT_SECRET_FILE=/etc/onward/oidc.secret',
  );
}

/** Somebody at a provider, identified by issuer and subject. Nothing else that a provider says is used. */
export type Person = {
  readonly issuer: string;
  readonly subject: string;
  /** How long ago they signed in there; undefined if the provider does not say. */
  readonly signedInMsAgo: number | undefined;
};

/** How far the provider's clock may be ahead of ours. */
const maxSkewSeconds = 60;

/**
 * The person of an ID token.
 * @throws Error if the subject is not 1 to 255 ASCII characters, as the standard says, or a time is in the future.
 */
function personOf(claims: IDToken, issuer: string, now: Date): Person {
  const { sub, iat, auth_time: signedInAt } = claims;
  if (!/^[\x20-\x7e]{1,255}$/.test(sub)) throw new Error('the subject is not of the expected form');
  const nowSeconds = now.getTime() / 1000;
  if (Math.max(iat, signedInAt ?? iat) > nowSeconds + maxSkewSeconds)
    throw Object.assign(new Error('the ID token has a time that is still to come'), {
      code: 'SIGN_IN_IN_FUTURE',
    });
  return {
    issuer,
    subject: sub,
    signedInMsAgo: signedInAt === undefined ? undefined : Math.max(0, nowSeconds - signedInAt) * 1000,
  };
}
