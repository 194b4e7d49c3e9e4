import type { AuthorizationResponseError, ResponseBodyError } from 'openid-client';
import { describeError } from '../../platform/log/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { defineProblem, Problem } from '../../platform/problem/index.ts';

export const signInNotFinished = defineProblem({
  type: 'sign-in-not-finished',
  status: 400,
  title: 'This sign-in cannot be finished',
});
const providerDeclined = defineProblem({
  type: 'provider-declined',
  status: 403,
  title: 'You were not signed in',
});
const providerUnavailable = defineProblem({
  type: 'provider-unavailable',
  status: 503,
  title: 'The sign-in service does not answer as it should',
});
export const identityUnknown = defineProblem({
  type: 'identity-unknown',
  status: 403,
  title: 'No account here is linked to this sign-in yet',
});
export const identityTaken = defineProblem({
  type: 'identity-taken',
  status: 409,
  title: 'This sign-in cannot be linked',
});
export const signInAgain = defineProblem({
  type: 'not-signed-in-anew',
  status: 403,
  title: 'You have to sign in once more',
});

/** The provider's errors if the person did not sign in there, or is not allowed to. */
const declined = ['access_denied', 'login_required', 'interaction_required', 'consent_required'];

/**
 * Turns a failure at the provider into a problem for the person, and a line in the log for the operator. Neither repeats the
 * provider's text, which may contain what was sent to it.
 */
export function asProviderProblem(deps: Pick<Platform, 'settings' | 'log'>, error: unknown): Problem {
  const name = deps.settings.oidcName;
  if (isAuthorizationResponseError(error) && declined.includes(error.error))
    return new Problem(
      providerDeclined,
      `The sign-in with ${name} was stopped there. Nothing was changed here.`,
    );
  if (isResponseBodyError(error) && error.error === 'invalid_grant')
    return new Problem(signInNotFinished, `It took too long, or was finished already. Start again.`);
  const { cause } = error as { cause?: unknown };
  deps.log.warn(
    { error: describeError(error), cause: describeError(cause) },
    'the sign-in provider did not answer as it should',
  );
  return new Problem(providerUnavailable, `Try again in a few minutes, or sign in another way.`);
}

// By name, because `instanceof` would load the library when the site starts.

function isAuthorizationResponseError(error: unknown): error is AuthorizationResponseError {
  return error instanceof Error && error.name === 'AuthorizationResponseError';
}

function isResponseBodyError(error: unknown): error is ResponseBodyError {
  return error instanceof Error && error.name === 'ResponseBodyError';
}
