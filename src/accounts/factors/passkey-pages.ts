import { Type } from 'typebox';
import { type App, page, signedIn } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { unprocessable } from '../../platform/problem/index.ts';
import { requireCaller } from '../model/caller.ts';
import { findSecondFactors } from '../model/second-factors-store.ts';
import { relyingParty } from '../model/sign-in-settings.ts';
import { nextSchema, pathOfThisSite, withOwnNext } from '../sign-in/next-path.ts';
import { registrationOptions } from './passkey-options.ts';
import { registerPasskey, registrationSchema } from './passkeys.ts';
import { listPasskeys } from './passkeys-store.ts';
import { factorRemovalPage } from './removal-page.ts';

const path = '/account/passkeys';
const config = page(signedIn(), { needsRecentSignIn: true, allowedWithoutSecondFactor: true });
const fromScript = page(signedIn(), {
  needsRecentSignIn: true,
  returnTo: path,
  takesJson: true,
  allowedWithoutSecondFactor: true,
});
const querystring = Type.Object({ next: nextSchema });
const body = Type.Object({
  passkey: registrationSchema,
  name: Type.String({ maxLength: 200 }),
});

/** The pages to add a passkey, which needs a script, and to remove one, which does not. */
export function passkeyPages(app: App, deps: WebPlatform): void {
  factorRemovalPage(app, deps, {
    path: `${path}/:id/remove`,
    find: async (accountId, id) => {
      const passkey = (await listPasskeys(deps.db, accountId)).find((each) => each.id === id);
      return passkey && { factor: 'passkey', id, name: passkey.name };
    },
  });
  const { settings } = deps;
  const party = relyingParty(settings);
  if (!party) return;

  app.get(path, { config, schema: { querystring } }, (request, reply) =>
    deps.pages.send(request, reply, 'accounts/factors/templates/passkey-add.njk', {
      next: pathOfThisSite(request.query.next),
    }),
  );

  app.post(`${path}/options`, { config: fromScript, schema: { querystring } }, (request) =>
    registrationOptions(deps, party, requireCaller(request)),
  );

  app.post(path, { config: fromScript, schema: { querystring, body } }, async (request, reply) => {
    const caller = requireCaller(request);
    const { passkey: registration, name } = request.body;
    const { next } = request.query;
    const added = await registerPasskey(deps, party, { caller, ipAddress: request.ip, registration, name });
    if (!added) {
      const message = 'The passkey was not added. It may be here already, or it took too long: try again.';
      return reply.code(unprocessable.status).send({ message });
    }
    const { recoveryCodes } = await findSecondFactors(deps.db, caller.accountId);
    if (recoveryCodes === 0) return { go_to: withOwnNext(next, '/account/recovery-codes?done=passkey') };
    return { go_to: pathOfThisSite(next) ?? '/account?done=passkey' };
  });
}
