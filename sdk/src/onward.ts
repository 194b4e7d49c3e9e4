import { type CallReport, createCall, type Fetch } from './call.ts';
import { createEvents, type Events } from './events.ts';
import type { AnswerBody, Call, Settings } from './operations.ts';
import { createReferrals, type Referrals } from './referrals.ts';
import { createServices, type Services } from './services.ts';
import { siteAddress } from './site-address.ts';
import { fixedToken, refreshedTokens, type StoredToken, type TokenStore } from './tokens.ts';

export const version = '0.1.0';

export type OnwardOptions = {
  /** The address of the site. */
  site: string | URL;
  /** The refresh token from /apikeys, on a server; or an access token, such as that of a user who signed in. */
  auth: { refreshToken: string } | { accessToken: string };
  /** Where several processes share an access token. */
  tokens?: TokenStore | undefined;
  /** How often a call is repeated where that cannot do harm. */
  retries?: number | undefined;
  /** For each attempt. */
  timeoutMs?: number | undefined;
  /** In place of the global one. */
  fetch?: Fetch | undefined;
  /** The name and version of your system, for the site's log. */
  userAgent?: string | undefined;
  /** Hears of every request, for your own log. */
  onCall?: ((call: CallReport) => void) | undefined;
  /** Allows http to another computer, where everybody on the way can read what is sent. Only for a test site. */
  insecureHttp?: boolean | undefined;
};

/** A client of one site, for one account. It holds its tokens where neither a log nor `JSON.stringify` finds them. */
export class Onward {
  /** Calls any operation of the API: `call('getPractice', { path: { ods_code: 'Z99001' } })`. */
  readonly call: Call;
  readonly services: Services;
  readonly referrals: Referrals;
  readonly events: Events;

  constructor(options: OnwardOptions) {
    if (!options?.auth) throw new TypeError('Give `auth`: { refreshToken } or { accessToken }.');
    this.call = createAuthorisedCall(options);
    this.services = createServices(this.call);
    this.referrals = createReferrals(this.call);
    this.events = createEvents(this.call, { renewsTokens: 'refreshToken' in options.auth });
  }

  /** Who the calls are made for, on which site. */
  async whoAmI(settings?: Settings): Promise<AnswerBody<'getTokenStatus'>> {
    return (await this.call('getTokenStatus', settings)).body;
  }
}

function createAuthorisedCall({ auth, tokens: store, ...options }: OnwardOptions): Call {
  const {
    retries = 3,
    timeoutMs = 30_000,
    userAgent,
    onCall,
    // Browsers refuse `fetch` when it is not called on `window`.
    fetch = (url, init) => globalThis.fetch(url, init),
  } = options;
  const agent = ['onward-client', version].join('/');
  const common = {
    site: siteAddress(options.site, options.insecureHttp),
    retries,
    timeoutMs,
    onCall,
    fetch,
    // Browsers send their own.
    headers: isBrowser() ? {} : { 'user-agent': [userAgent, agent].filter(Boolean).join(' ') },
  };
  if ('accessToken' in auth)
    return createCall({ ...common, tokens: fixedToken(tokenText(auth.accessToken, 'accessToken')) });

  const refreshToken = tokenText(auth.refreshToken, 'refreshToken');
  if (isBrowser()) throw new TypeError('A refresh token belongs on a server. Give `accessToken` here.');
  const callWithoutToken = createCall({ ...common, tokens: fixedToken('') });
  const refresh = async (): Promise<StoredToken> => {
    const { body, headers } = await callWithoutToken('refreshToken', { body: { refreshToken } });
    return { accessToken: body.access_token, validTo: byOwnClock(body.valid_to, headers) };
  };
  return createCall({ ...common, tokens: refreshedTokens(refresh, store) });
}

/** A moment of the site, by the clock of this computer, which may be wrong. */
function byOwnClock(moment: string, headers: Headers): string {
  const siteMs = Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(siteMs)) return moment;
  return new Date(Date.now() + Date.parse(moment) - siteMs).toISOString();
}

/** @throws TypeError without the token. Otherwise fetch’s own error about a header that cannot be sent would contain it. */
function tokenText(given: unknown, name: string): string {
  const text = typeof given === 'string' ? given.trim() : '';
  if (!/^[\x21-\x7e]+$/.test(text)) throw new TypeError(`\`auth.${name}\` is missing or not whole.`);
  return text;
}

function isBrowser(): boolean {
  return 'document' in globalThis || 'importScripts' in globalThis;
}
