import { defineProblem } from '../../platform/problem/index.ts';

export const signInNotFinished = defineProblem({
  type: 'sign-in-not-finished',
  status: 400,
  title: 'This sign-in cannot be finished',
});
export const providerDeclined = defineProblem({
  type: 'provider-declined',
  status: 403,
  title: 'You were not signed in',
});
export const providerUnavailable = defineProblem({
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
export const notSignedInAnew = defineProblem({
  type: 'not-signed-in-anew',
  status: 403,
  title: 'You have to sign in once more',
});
export const lastWayToSignIn = defineProblem({
  type: 'last-way-to-sign-in',
  status: 409,
  title: 'This is the only way you can sign in',
});
