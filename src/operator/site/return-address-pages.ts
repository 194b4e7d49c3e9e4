import { Type } from 'typebox';
import { actorOf, requireCaller } from '../../accounts/index.ts';
import { successBanner, toFormErrors } from '../../platform/html/index.ts';
import { type App, page, type Reply, type Request, signedIn } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { requireRefusal, unprocessable } from '../../platform/problem/index.ts';
import {
  accessTokenHours,
  findLocalhostRule,
  listReturnAddresses,
  registerReturnAddress,
  removeReturnAddress,
  setLocalhostAllowed,
} from '../../tokens/index.ts';

const path = '/operator/return-addresses';
const listTemplate = 'operator/site/templates/return-addresses.njk';
const removeTemplate = 'operator/site/templates/remove-return-address.njk';
const done = successBanner({
  added: 'The return address was added. Next: try to sign in from there.',
  removed: 'The return address was removed.',
  allowed: 'Anybody may now use any address of their own computer.',
  refused: 'Only registered addresses may be used now.',
});
const querystring = Type.Object({ done: done.query });
const withAddress = Type.Object({ address: Type.String({ maxLength: 2500 }) });

/** The pages about return addresses, to which users may be sent with a token: to list, add and remove. */
export function returnAddressPages(app: App, deps: WebPlatform): void {
  const config = page(signedIn('operator'));
  // They decide where tokens are sent, so a change needs a recent sign-in.
  const changeConfig = page(signedIn('operator'), { needsRecentSignIn: true, returnTo: path });
  const sendList = async (request: Request, reply: Reply, context: object = {}) => {
    const addresses = await listReturnAddresses(deps.db);
    const localhost = await findLocalhostRule(deps.db);
    return deps.pages.send(request, reply, listTemplate, { addresses, localhost, ...context });
  };

  app.get(path, { config, schema: { querystring } }, (request, reply) =>
    sendList(request, reply, { done: done.words(request.query.done) }),
  );

  app.post(path, { config: changeConfig, schema: { body: withAddress } }, async (request, reply) => {
    const address = request.body.address.trim();
    try {
      await registerReturnAddress(deps, actorOf(requireCaller(request), request.ip), address);
      return reply.redirect(done.path(path, 'added'), 303);
    } catch (error) {
      requireRefusal(error, [unprocessable]);
      const errors = toFormErrors({ address: 'The address' }, error);
      return sendList(request, reply.code(unprocessable.status), { address, errors });
    }
  });

  if (deps.settings.mode === 'test') {
    const body = Type.Object({ allow: Type.Union([Type.Literal('yes'), Type.Literal('no')]) });
    app.post(`${path}/localhost`, { config: changeConfig, schema: { body } }, async (request, reply) => {
      const allow = request.body.allow === 'yes';
      await setLocalhostAllowed(deps, actorOf(requireCaller(request), request.ip), allow);
      return reply.redirect(done.path(path, allow ? 'allowed' : 'refused'), 303);
    });
  }

  app.get(`${path}/remove`, { config, schema: { querystring: withAddress } }, async (request, reply) => {
    const addresses = await listReturnAddresses(deps.db);
    const { address } = request.query;
    // Somebody else may have removed it.
    if (!addresses.some((each) => each.address === address)) return reply.redirect(path, 303);
    return deps.pages.send(request, reply, removeTemplate, { address, accessTokenHours });
  });

  app.post(
    `${path}/remove`,
    { config: changeConfig, schema: { body: withAddress } },
    async (request, reply) => {
      await removeReturnAddress(deps, actorOf(requireCaller(request), request.ip), request.body.address);
      return reply.redirect(done.path(path, 'removed'), 303);
    },
  );
}
