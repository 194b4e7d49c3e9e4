import { Problem } from '../platform/problem/index.ts';
import { badReturnAddress } from './problems.ts';
import { type ReturnUrl, readReturnUrl } from './return-address.ts';
import { isRegistered } from './return-addresses-store.ts';
import type { TokenDeps } from './token-desk.ts';

/** What a client asks for at /apilogin. */
export type ApiLogin = { readonly returnUrl: ReturnUrl; readonly responseMode: 'query' | 'form_post' };

const parameters = ['returnUrl', 'response_mode', 'started'];

/**
 * What a query or a form of /apilogin asks for; read anew at each step, because nothing that came by way of a browser is
 * believed a second time.
 * @throws Problem `bad-return-address`, without a word of what was sent.
 */
export async function readApiLogin(deps: TokenDeps, given: unknown): Promise<ApiLogin> {
  const { returnUrl: text, response_mode: responseMode = 'query' } = given as Record<string, unknown>;
  if (text === undefined) throw refused('is missing: add ?returnUrl= and the address, percent-encoded');
  if (typeof text !== 'string') throw refused('was given more than once');
  const returnUrl = readReturnUrl(text, deps.settings.mode);
  if ('fault' in returnUrl) throw refused(returnUrl.fault);
  if (!(await isRegistered(deps.db, returnUrl.address))) throw refused('is not registered at this site');
  if (responseMode !== 'query' && responseMode !== 'form_post')
    throw new Problem(badReturnAddress, 'The parameter response_mode must be query or form_post.');
  return { returnUrl, responseMode };
}

/**
 * A client that does not percent-encode its address loses what follows the first & of it, and one that misspells
 * response_mode would get its token in an address. Both are told.
 * @throws Problem `bad-return-address`.
 */
export function refuseUnknownParameters(query: unknown): void {
  if (Object.keys(query as object).every((name) => parameters.includes(name))) return;
  throw new Problem(
    badReturnAddress,
    'There is a parameter besides returnUrl and response_mode. The return address must be percent-encoded.',
  );
}

/** The path of this login, to begin it again or to come back to. */
export function apiLoginPath({ returnUrl, responseMode }: ApiLogin, started?: string): string {
  const query = [
    `returnUrl=${encodeURIComponent(returnUrl.text)}`,
    ...(responseMode === 'query' ? [] : [`response_mode=${responseMode}`]),
    ...(started === undefined ? [] : [`started=${started}`]),
  ];
  return `/apilogin?${query.join('&')}`;
}

function refused(fault: string): Problem {
  return new Problem(
    badReturnAddress,
    `The return address ${fault}. Nothing was sent to it. Tell those who run the website that brought you here.`,
  );
}
