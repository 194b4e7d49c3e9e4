import { Type } from 'typebox';
import { actionOn, requireCaller } from '../../accounts/index.ts';
import { readFields, successBanner, toFormErrors } from '../../platform/html/index.ts';
import { type App, anyForm, page, type Reply, type Request, signedIn } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { requireRefusal, unprocessable } from '../../platform/problem/index.ts';
import { makeLinkForGrantedAccount } from './answer-request.ts';
import {
  type AccountForm,
  type AddressForm,
  requestReturnAddress,
  requestTestAccount,
} from './make-request.ts';
import { listRequestsOf } from './requests-store.ts';

const path = '/apikeys/requests';
const config = page(signedIn());
const changing = page(signedIn(), { needsRecentSignIn: true, returnTo: path });
const params = Type.Object({ id: Type.String({ maxLength: 100 }) });
const done = successBanner({
  asked: 'Your request was sent to the operators. You get an email when it is answered.',
});
const templates = 'developers/templates';

/** Where developers of client systems ask the operator for what they need, and see what became of it. */
export function ownRequestPages(app: App, deps: WebPlatform): void {
  const querystring = Type.Object({ done: done.query });
  app.get(path, { config, schema: { hide: true, querystring } }, async (request, reply) =>
    deps.pages.send(request, reply, `${templates}/own-requests.njk`, {
      requests: await listRequestsOf(deps.db, requireCaller(request).accountId),
      done: done.words(request.query.done),
    }),
  );
  formPages<AddressForm>(app, deps, {
    name: 'return-address',
    labels: { address: 'The address', reason: 'The reason' },
    ask: requestReturnAddress,
  });
  if (deps.settings.mode !== 'test') return;
  formPages<AccountForm>(app, deps, {
    name: 'account',
    labels: { name: 'Name', email: '', role: '', organisation: '', reason: 'The reason' },
    ask: requestTestAccount,
  });
  // The link signs somebody in, so it asks for a recent sign-in, and is followed at once.
  app.post(
    `${path}/:id/password`,
    { config: changing, schema: { hide: true, params } },
    async (request, reply) => {
      const act = actionOn(request, request.params.id);
      return reply.redirect(await makeLinkForGrantedAccount(deps, act), 303);
    },
  );
}

type Form<Values> = {
  name: string;
  /** Of the fields, in order. */
  labels: { readonly [Field in keyof Values]: string };
  ask: (
    deps: WebPlatform,
    caller: ReturnType<typeof requireCaller>,
    values: Values,
    ipAddress: string,
  ) => Promise<void>;
};

function formPages<Values extends Record<string, string>>(
  app: App,
  deps: WebPlatform,
  { name, labels, ask }: Form<Values>,
): void {
  const template = `${templates}/ask-for-${name}.njk`;
  const show = (request: Request, reply: Reply, context: Record<string, unknown>) =>
    deps.pages.send(request, reply, template, context);
  app.get(`${path}/${name}`, { config, schema: { hide: true } }, (request, reply) =>
    show(request, reply, { values: {}, organisation: requireCaller(request).organisation }),
  );
  app.post(`${path}/${name}`, { config, schema: { hide: true, body: anyForm } }, async (request, reply) => {
    const values = readFields(request.body, Object.keys(labels)) as Values;
    try {
      await ask(deps, requireCaller(request), values, request.ip);
      return reply.redirect(done.path(path, 'asked'), 303);
    } catch (error) {
      requireRefusal(error, [unprocessable]);
      const { organisation } = requireCaller(request);
      const errors = toFormErrors(labels, error);
      return show(request, reply.code(unprocessable.status), { values, organisation, errors });
    }
  });
}
