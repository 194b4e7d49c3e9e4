import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type JWK, Provider } from 'oidc-provider';
import type { Clock } from '../../src/platform/clock/index.ts';

const clientId = 'onward-test';
const clientSecret = 'a client secret with : and % in it';

/** Who sits at the provider's sign-in form, and how they behave. */
type Somebody = {
  /** Undefined: they press “cancel”. */
  subject: string | undefined;
  /** How long ago they signed in there, when the provider is content with that. */
  signedInSecondsAgo?: number;
};

/** Changes an answer of the provider on its way: its text, and its status where that is given too. */
type Tamper = (
  text: string,
  request: IncomingMessage,
) => string | { status: number; type: string; text: string };

/**
 * A real OpenID Connect provider (panva's, certified) on loopback, whose sign-in form fills itself in. `redirectUri` is
 * the one address that it sends browsers back to.
 */
export async function startOidcProvider(port: number, redirectUri: string) {
  const issuer = `http://127.0.0.1:${port}`;
  const state = {
    somebody: { subject: 'asha' } as Somebody,
    key: newKey(1),
    /** The time that its ID tokens show; the machine's, until a test gives it another. */
    clock: { now: () => new Date() } as Clock,
    /** By path, such as `/token`. */
    tamper: {} as Record<string, Tamper>,
    /** Every request that it got. */
    asked: [] as string[],
    /** What sites sent to exchange a code. */
    bodies: [] as URLSearchParams[],
  };
  let keys = 1;
  let provider = makeProvider(issuer, redirectUri, state.key);

  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, issuer);
    state.asked.push(`${request.method} ${request.url}`);
    if (pathname === '/token')
      request.on('data', (text) => state.bodies.push(new URLSearchParams(String(text))));
    const tamper = state.tamper[pathname];
    if (tamper) change(request, response, tamper);
    // Wrapped last, this is the first to see the answer.
    if (pathname === '/token') change(request, response, moveTimes);
    if (pathname.startsWith('/interaction/'))
      return void answerForm(provider, request, response, state.somebody);
    provider.callback()(request, response);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const folder = await mkdtemp(join(tmpdir(), 'onward-oidc-'));
  const secretFile = join(folder, 'oidc.secret');
  await writeFile(secretFile, `${clientSecret}\n`);

  /** The provider's own library knows only this machine's time, so we shift the times in its tokens. */
  function moveTimes(text: string): string {
    const { id_token } = JSON.parse(text);
    if (!id_token) return text;
    const shift = Math.floor(state.clock.now().getTime() / 1000) - Math.floor(Date.now() / 1000);
    const { iat, exp, auth_time } = claimsOf(id_token);
    return withClaims(text, { iat: iat + shift, exp: exp + shift, auth_time: auth_time + shift }, state.key);
  }

  return {
    issuer,
    state,
    /** The present time in seconds, as ID tokens give it. */
    seconds: () => Math.floor(state.clock.now().getTime() / 1000),
    /** What a site that uses it is set to. */
    env: {
      ONWARD_OIDC_ISSUER: issuer,
      ONWARD_OIDC_CLIENT_ID: clientId,
      ONWARD_OIDC_CLIENT_SECRET_FILE: secretFile,
      ONWARD_OIDC_NAME: 'Sarrowby Council',
    },
    clientSecret,
    /** New keys, as providers have from time to time; signatures by the old ones count no more. */
    rotateKeys() {
      keys += 1;
      state.key = newKey(keys);
      provider = makeProvider(issuer, redirectUri, state.key);
    },
    /** Has ID tokens leave with other claims, signed by the provider's key or by another. */
    changeClaims(changes: Record<string, unknown>, key = state.key) {
      state.tamper['/token'] = (text) => withClaims(text, changes, key);
    },
    /**
     * Acts as the browser: signs in, and is sent back.
     * @returns the address that it is sent back to.
     */
    async signInAt(address: string): Promise<string> {
      const cookies = new Map<string, string>();
      let next = address;
      while (next.startsWith(issuer)) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const answer = await fetch(next, { redirect: 'manual', headers: { cookie } });
        for (const set of answer.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
          cookies.set(name, value);
        }
        const location = answer.headers.get('location');
        if (!location) throw new Error(`the provider answered ${answer.status}: ${await answer.text()}`);
        next = location;
      }
      return next;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function makeProvider(issuer: string, redirectUri: string, key: JWK): Provider {
  return new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [redirectUri],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    jwks: { keys: [key] },
    cookies: { keys: ['only for trying'] },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 86_400,
    },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `${issuer}/interaction/${uid}` },
    findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ clientId, accountId: oidc.session!.accountId! });
      grant.addOIDCScope('openid');
      await grant.save();
      return grant;
    },
  });
}

async function answerForm(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
  { subject, signedInSecondsAgo = 0 }: Somebody,
): Promise<void> {
  const result =
    subject === undefined
      ? { error: 'access_denied', error_description: 'They pressed cancel' }
      : { login: { accountId: subject, ts: Math.floor(Date.now() / 1000) - signedInSecondsAgo } };
  await provider.interactionFinished(request, response, result);
}

export function newKey(number: number): JWK {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...privateKey.export({ format: 'jwk' }), kid: `key-${number}`, alg: 'ES256', use: 'sig' } as JWK;
}

function claimsOf(idToken: string) {
  return JSON.parse(Buffer.from(idToken.split('.')[1]!, 'base64url').toString());
}

/** An answer of the token endpoint with other claims in its ID token. */
function withClaims(text: string, changes: Record<string, unknown>, key: JWK): string {
  const answer = JSON.parse(text);
  return JSON.stringify({ ...answer, id_token: signed({ ...claimsOf(answer.id_token), ...changes }, key) });
}

function signed(claims: object, key: JWK): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ alg: 'ES256', kid: key.kid })}.${part(claims)}`;
  const signature = sign('sha256', Buffer.from(text), {
    key: key as never,
    format: 'jwk',
    dsaEncoding: 'ieee-p1363',
  } as never);
  return `${text}.${signature.toString('base64url')}`;
}

/** The provider sends each of its answers at once, so its end is where to change it. */
function change(request: IncomingMessage, response: ServerResponse, tamper: Tamper): void {
  const end = response.end.bind(response) as (text: string) => ServerResponse;
  response.end = ((text: unknown) => {
    const changed = tamper(String(text ?? ''), request);
    const {
      status,
      type,
      text: body,
    } = typeof changed === 'string'
      ? { status: response.statusCode, type: undefined, text: changed }
      : changed;
    response.statusCode = status;
    if (type) response.setHeader('content-type', type);
    response.setHeader('content-length', Buffer.byteLength(body));
    return end(body);
  }) as never;
}
