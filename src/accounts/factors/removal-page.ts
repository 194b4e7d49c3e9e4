import { Type } from 'typebox';
import { type FormErrors, fieldError } from '../../platform/html/index.ts';
import { type App, page, type Reply, type Request, signedIn } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { notFound, Problem, unprocessable } from '../../platform/problem/index.ts';
import { findAccount } from '../model/accounts-store.ts';
import { requireCaller } from '../model/caller.ts';
import { needsSecondFactor } from '../model/second-factor-rules.ts';
import { minPasswordLength } from '../passwords/password-rules.ts';
import {
  type FactorToRemove,
  hasAtMostOneFactor,
  type RefusedRemoval,
  removeFactor,
} from './remove-factor.ts';

type FactorRemovalPage = {
  path: string;
  /** The factor with the id from the path, if the account has it. */
  find(accountId: string, id: string): Promise<(FactorToRemove & { name?: string }) | undefined>;
};

const config = page(signedIn(), { needsRecentSignIn: true });
const body = Type.Object({ password: Type.Optional(Type.String({ maxLength: 1000 })) });
const params = Type.Object({ id: Type.Optional(Type.String()) });

const refusals: Readonly<Record<RefusedRemoval, FormErrors>> = {
  'password-needed': fieldError('password', 'Enter your password'),
  'password-wrong': fieldError('password', 'The password is not right'),
  'password-too-short': {
    summary: [
      {
        text: `Your password is shorter than ${minPasswordLength.alone} characters, which is too short without two-step sign-in. Choose a longer one first`,
        href: '/account/password',
      },
    ],
    fields: {},
  },
};

/** The page that asks before a second factor is removed, with the password if it is the last one. */
export function factorRemovalPage(app: App, deps: WebPlatform, { path, find }: FactorRemovalPage): void {
  app.get(path, { config, schema: { params } }, async (request, reply) => {
    const what = await find(requireCaller(request).accountId, request.params.id ?? '');
    if (!what) throw new Problem(notFound);
    return sendForm(deps, request, reply, what);
  });

  app.post(path, { config, schema: { params, body } }, async (request, reply) => {
    const caller = requireCaller(request);
    const what = await find(caller.accountId, request.params.id ?? '');
    if (!what) return reply.redirect('/account', 303);
    const { password } = request.body;
    const result = await removeFactor(deps, { caller, ipAddress: request.ip, what, password });
    if (result === 'removed') return reply.redirect('/account?done=removed', 303);
    if (result === 'nothing-there') return reply.redirect('/account', 303);
    return sendForm(deps, request, reply.code(unprocessable.status), what, refusals[result]);
  });
}

async function sendForm(
  deps: WebPlatform,
  request: Request,
  reply: Reply,
  what: FactorToRemove & { name?: string },
  errors?: FormErrors,
): Promise<Reply> {
  const { accountId, email } = requireCaller(request);
  const account = await findAccount(deps.db, accountId);
  const isLast = await hasAtMostOneFactor(deps.db, accountId);
  return deps.pages.send(request, reply, 'accounts/factors/templates/remove-factor.njk', {
    ...what,
    email,
    errors,
    isLast,
    mustStay: isLast && account !== undefined && needsSecondFactor(deps.settings, account.roles),
    asksPassword: isLast && account?.passwordHash != null,
  });
}
