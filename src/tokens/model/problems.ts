import { bearerRealm } from '../../platform/http/index.ts';
import { defineProblem, Problem } from '../../platform/problem/index.ts';
import { contactOf } from '../../platform/settings/index.ts';

const missingToken = defineProblem({
  type: 'missing-token',
  status: 401,
  title: 'An access token is needed',
  detail: 'Send the header Authorization: Bearer <access token>. Copy one from /apikeys.',
});
const invalidToken = defineProblem({
  type: 'invalid-token',
  status: 401,
  title: 'The access token is not valid',
});
const invalidTokenRequest = defineProblem({
  type: 'invalid-token-request',
  status: 400,
  title: 'The access token was sent in more than one way',
});
export const unknownRefreshToken =
  'It is unknown here, or was replaced or revoked. Copy the current one from /apikeys.';
export const invalidRefreshToken = defineProblem({
  type: 'invalid-refresh-token',
  status: 401,
  title: 'The refresh token is not valid',
  exampleDetail: unknownRefreshToken,
});
const askToSwitchOn = (contact: string) => `Ask ${contact} to switch it on.`;
const apiAccessDisabled = defineProblem({
  type: 'api-access-disabled',
  status: 403,
  title: 'API access is switched off for this account',
  exampleDetail: askToSwitchOn(contactOf({ siteName: 'Sarrowby referrals', operatorContact: undefined })),
});
const addressNotAllowed = defineProblem({
  type: 'address-not-allowed',
  status: 403,
  title: 'The key may not be used from this IP address',
  detail:
    'The account holder allows this key from certain IP addresses only; yours is not one of them. They can change that at /apikeys.',
});
export const badReturnAddress = defineProblem({
  type: 'bad-return-address',
  status: 400,
  title: 'You cannot be sent back to the website you came from',
});

export const tooManyKeys = defineProblem({
  type: 'too-many-keys',
  status: 409,
  title: 'The account has reached its limit of keys',
});
export const keyChanged = defineProblem({
  type: 'key-changed',
  status: 409,
  title: 'Somebody made a new token for this key meanwhile',
});

/** A call without credentials gets no error code: it has made no mistake yet (RFC 6750, section 3.1). */
export function missingTokenProblem(): Problem {
  return new Problem(missingToken, undefined, { headers: { 'www-authenticate': bearerRealm } });
}

/** The token is unknown, or has stopped working; `detail` says which, and what to do. */
export function invalidTokenProblem(detail: string): Problem {
  return new Problem(invalidToken, detail, {
    headers: { 'www-authenticate': `${bearerRealm}, error="invalid_token"` },
  });
}

/** The account is disabled, its API access is off, or its keys or this key were ended. */
export function endedTokenProblem(): Problem {
  return invalidTokenProblem('This token was ended. Refresh, or sign in at /apikeys.');
}

export function expiredTokenProblem(): Problem {
  return invalidTokenProblem('This token has expired. Refresh to get a new one.');
}

/** The call had two tokens, and the site does not guess which one counts. */
export function twoTokensProblem(): Problem {
  return new Problem(invalidTokenRequest, 'Send it once, in the Authorization header and nowhere else.', {
    headers: { 'www-authenticate': `${bearerRealm}, error="invalid_request"` },
  });
}

/** Not a 401, because a client would answer that by refreshing. It names no IP address. */
export function ipAddressProblem(): Problem {
  return new Problem(addressNotAllowed);
}

export function apiAccessOffProblem(settings: Parameters<typeof contactOf>[0]): Problem {
  return new Problem(apiAccessDisabled, askToSwitchOn(contactOf(settings)));
}
