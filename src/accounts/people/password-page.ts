import { Type } from 'typebox';
import { type FormErrors, fieldError, toFormErrors } from '../../platform/html/index.ts';
import { type App, page, type Reply, type Request, signedIn } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { requireRefusal, unprocessable } from '../../platform/problem/index.ts';
import { findAccount } from '../model/accounts-store.ts';
import { requireCaller } from '../model/caller.ts';
import { hasSecondFactor } from '../model/second-factors-store.ts';
import { changePassword, type PasswordChange } from '../passwords/change-password.ts';
import { minPasswordLength } from '../passwords/password-rules.ts';
import { sessionSecretOf } from '../sign-in/session.ts';

const path = '/account/password';
const config = page(signedIn(), { needsRecentSignIn: true });
const body = Type.Object({
  current_password: Type.String({ maxLength: 1000 }),
  password: Type.String({ maxLength: 1000 }),
});

/** The page on which somebody changes their own password. */
export function passwordPage(app: App, deps: WebPlatform): void {
  app.get(path, { config }, (request, reply) => sendForm(deps, request, reply));

  app.post(path, { config, schema: { body } }, async (request, reply) => {
    const keptSessionSecret = sessionSecretOf(request, deps.settings)!;
    const { current_password: current, password: next } = request.body;
    const caller = requireCaller(request);
    const errors = await tryChange(deps, { caller, ipAddress: request.ip, current, next, keptSessionSecret });
    if (errors === undefined) return reply.redirect('/account?done=password', 303);
    return sendForm(deps, request, reply.code(unprocessable.status), errors);
  });
}

/** Changes the password. @returns what is wrong with the current or the new one. */
async function tryChange(deps: WebPlatform, change: PasswordChange): Promise<FormErrors | undefined> {
  try {
    if (await changePassword(deps, change)) return undefined;
    return fieldError('current_password', 'Current password is incorrect');
  } catch (error) {
    requireRefusal(error, [unprocessable]);
    return toFormErrors({ password: 'The new password' }, error);
  }
}

async function sendForm(
  deps: WebPlatform,
  request: Request,
  reply: Reply,
  errors?: FormErrors,
): Promise<Reply> {
  const { accountId, email } = requireCaller(request);
  const account = await findAccount(deps.db, accountId);
  return deps.pages.send(request, reply, 'accounts/people/templates/account-password.njk', {
    email,
    hasPassword: account?.passwordHash != null,
    minLength: minPasswordLength[(await hasSecondFactor(deps.db, accountId)) ? 'withSecondFactor' : 'alone'],
    errors,
  });
}
