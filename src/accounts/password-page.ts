import { Type } from 'typebox';
import { type App, page, type Reply, type Request, signedIn } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { Problem, unprocessable } from '../platform/problem/index.ts';
import { requireCaller } from './caller.ts';
import { changePassword, type PasswordChange } from './change-password.ts';
import { hasSecondFactor } from './factors/second-factors-store.ts';
import { shortestPassword } from './password-rules.ts';
import { sessionIdOf } from './session.ts';
import { findAccount } from './store.ts';

const path = '/account/password';
const config = page(signedIn(), { fresh: true });
const body = Type.Object({
  current_password: Type.String({ maxLength: 1000 }),
  password: Type.String({ maxLength: 1000 }),
});

/** Where somebody changes their own password. */
export function passwordPage(app: App, deps: WebPlatform): void {
  app.get(path, { config }, (request, reply) => sendForm(deps, request, reply));

  app.post(path, { config, schema: { body } }, async (request, reply) => {
    const keptSessionId = sessionIdOf(request, deps.settings)!;
    const { current_password: current, password: next } = request.body;
    const caller = requireCaller(request);
    const mistake = await tryChange(deps, { caller, address: request.ip, current, next, keptSessionId });
    if (mistake === undefined) return reply.redirect('/account?done=password', 303);
    return sendForm(deps, request, reply.code(unprocessable.status), mistake);
  });
}

/** What the page says is wrong: with the password now, or with the new one. */
type Mistake = { currentWrong: true } | { refused: string };

async function tryChange(deps: WebPlatform, change: PasswordChange): Promise<Mistake | undefined> {
  try {
    return (await changePassword(deps, change)) ? undefined : { currentWrong: true };
  } catch (error) {
    if (!(error instanceof Problem) || error.kind !== unprocessable) throw error;
    return { refused: `The new password ${error.errors?.[0]?.message}` };
  }
}

async function sendForm(
  deps: WebPlatform,
  request: Request,
  reply: Reply,
  mistake?: Mistake,
): Promise<Reply> {
  const { accountId, email } = requireCaller(request);
  const account = await findAccount(deps.db, accountId);
  return deps.pages.send(request, reply, 'accounts/templates/account-password.njk', {
    email,
    hasPassword: account?.passwordHash != null,
    shortest: shortestPassword[(await hasSecondFactor(deps.db, accountId)) ? 'withSecondFactor' : 'alone'],
    ...mistake,
  });
}
