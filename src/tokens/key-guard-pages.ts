import { Type } from 'typebox';
import { requireCaller } from '../accounts/index.ts';
import { type FormProblem, formProblem } from '../platform/html/index.ts';
import { type App, page, type Reply, type Request, signedIn } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { Problem, unprocessable } from '../platform/problem/index.ts';
import { changeKeyGuards } from './change-key-guards.ts';
import { type GuardsForm, readGuards } from './key-guards.ts';
import { listKeyUses } from './key-uses-store.ts';
import { keysDone } from './keys-done.ts';
import { ownAddress } from './own-address.ts';
import type { TokenDeps } from './token-desk.ts';

const path = '/apikeys/guards';
const labels = { networks: 'Allowed addresses', idle_days: 'Days' };
const body = Type.Object({
  networks: Type.String({ maxLength: 5000 }),
  idle_days: Type.String({ maxLength: 100 }),
});

/** The form on which an account holder says from where their keys may be used, and when they stop. */
export function keyGuardPages(app: App, deps: TokenDeps & WebPlatform): void {
  const config = page(signedIn(), { fresh: true });
  const show = (request: Request, reply: Reply, form: GuardsForm, errors?: FormProblem) =>
    deps.pages.send(request, reply, 'tokens/templates/key-guards.njk', {
      form,
      errors,
      here: ownAddress(request, []),
    });

  app.get(path, { config }, async (request, reply) => {
    const { accountId, apiAccess } = requireCaller(request);
    if (!apiAccess) return reply.redirect('/apikeys', 303);
    const use = (await listKeyUses(deps.db, [accountId])).get(accountId);
    return show(request, reply, {
      networks: use?.networks.join('\n') ?? '',
      idle_days: String(use?.idleDays ?? ''),
    });
  });

  app.post(path, { config, schema: { body } }, async (request, reply) => {
    const caller = requireCaller(request);
    if (!caller.apiAccess) return reply.redirect('/apikeys', 303);
    try {
      await changeKeyGuards(deps, caller, readGuards(request.body), request.ip);
      return reply.redirect(keysDone.path('/apikeys', 'guards'), 303);
    } catch (error) {
      if (!(error instanceof Problem) || error.kind !== unprocessable) throw error;
      return show(request, reply.code(unprocessable.status), request.body, formProblem(labels, error));
    }
  });
}
