import { defineProblem, Problem } from '../../platform/problem/index.ts';

export const emailTaken = defineProblem({
  type: 'email-taken',
  status: 409,
  title: 'There is an account with this email address already',
});

const noSuchAccount = defineProblem({
  type: 'no-such-account',
  status: 404,
  title: 'There is no such account',
});

export function accountNotFoundProblem(): Problem {
  return new Problem(noSuchAccount, 'Check the email address; `account list` shows all of them.');
}

export const tooManyAttempts = defineProblem({
  type: 'too-many-attempts',
  status: 429,
  title: 'There were too many attempts',
});

export const secondFactorRequired = defineProblem({
  type: 'second-factor-required',
  status: 409,
  title: 'This site requires two-step sign-in',
});

export const lastWayToSignIn = defineProblem({
  type: 'last-way-to-sign-in',
  status: 409,
  title: 'This is the only way you can sign in',
});

export const linkEnded = defineProblem({
  type: 'link-ended',
  status: 404,
  title: 'This link no longer works',
});

export const noMailServer = defineProblem({
  type: 'no-mail-server',
  status: 409,
  title: 'This site sends no email',
});

export const cannotBeInvited = defineProblem({
  type: 'not-to-be-invited',
  status: 409,
  title: 'This account cannot be invited',
});

export const lastOperator = defineProblem({
  type: 'last-operator',
  status: 409,
  title: 'Nobody could run the site',
});

export const needsPerson = defineProblem({
  type: 'needs-person',
  status: 403,
  title: 'Only a person may do this',
});

const notForSystems = defineProblem({
  type: 'not-for-systems',
  status: 409,
  title: 'This account is a system and no person',
});

/** For what only the account of a person has, such as a password. @throws Problem `not-for-systems`. */
export function requireTargetIsPerson({ isSystem }: { isSystem: boolean }): void {
  if (isSystem) throw new Problem(notForSystems, 'Nobody signs in as a system. Its owner manages its keys.');
}

export const ownRights = defineProblem({
  type: 'own-rights',
  status: 403,
  title: 'You cannot change your own roles or organisation',
});
