import { Type } from 'typebox';
import { type App, page, signedIn } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { unprocessable } from '../../platform/problem/index.ts';
import { requireCaller } from '../caller.ts';
import { registrationOptions } from './passkey-options.ts';
import { registrationSchema } from './passkey-schemas.ts';
import { listPasskeys } from './passkeys-store.ts';
import { registerPasskey } from './register-passkey.ts';
import { relyingParty } from './relying-party.ts';
import { removalPage } from './removal-page.ts';
import { findSecondFactors } from './second-factors-store.ts';

const path = '/account/passkeys';
const config = page(signedIn(), { fresh: true });
const fromScript = page(signedIn(), { fresh: path, takesJson: true });
const body = Type.Object({ passkey: registrationSchema, name: Type.String({ maxLength: 200 }) });

/** Adding a passkey, which takes a script, and removing one, which takes none. */
export function passkeyPages(app: App, deps: WebPlatform): void {
  removalPage(app, deps, {
    path: `${path}/:id/remove`,
    find: async (accountId, id) => {
      const passkey = (await listPasskeys(deps.db, accountId)).find((each) => each.id === id);
      return passkey && { factor: 'passkey', id, name: passkey.name };
    },
  });
  const { settings } = deps;
  const site = relyingParty(settings);
  if (!site) return;

  app.get(path, { config }, (request, reply) =>
    deps.pages.send(request, reply, 'accounts/templates/passkey-add.njk'),
  );

  app.post(`${path}/options`, { config: fromScript }, (request) =>
    registrationOptions(deps, site, requireCaller(request)),
  );

  app.post(path, { config: fromScript, schema: { body } }, async (request, reply) => {
    const caller = requireCaller(request);
    const { passkey: registration, name } = request.body;
    const added = await registerPasskey(deps, site, { caller, address: request.ip, registration, name });
    if (!added) {
      const message = 'The passkey was not added. It may be here already, or it took too long: try again.';
      return reply.code(unprocessable.status).send({ message });
    }
    const { recoveryCodes } = await findSecondFactors(deps.db, caller.accountId);
    return { go_to: recoveryCodes === 0 ? '/account/recovery-codes' : '/account?done=passkey' };
  });
}
