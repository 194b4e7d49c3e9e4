import { type Static, Type } from 'typebox';
import { type Account, actorOf, findAccount, requireCaller } from '../accounts/index.ts';
import type { Actor } from '../audit/index.ts';
import { formProblem } from '../platform/html/index.ts';
import { type App, page, type Reply, type Request, signedIn } from '../platform/http/index.ts';
import { isUuid } from '../platform/ids/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { notFound, Problem } from '../platform/problem/index.ts';
import { type AccountDone, accountDone } from './account-done.ts';

/** A page with one form, that changes one thing about one account. */
export type ChangePage = {
  /** The last part of its address. */
  name: string;
  template: string;
  /** Its fields in their order, and what they are called. */
  labels: Readonly<Record<string, string>>;
  /** What the form shows at first. */
  values(account: Account): object;
  /** What was sent, to be shown again where it is refused. */
  read(body: unknown): object;
  /** @returns what to say was done. @throws Problem */
  change(actor: Actor, account: Account, body: unknown): Promise<AccountDone>;
};

const params = Type.Object({ id: Type.String() });
const anyForm = Type.Object({}, { additionalProperties: true });

/**
 * Registers such a page. Who an account is and what it may do is changed only by an operator who signed in a short while
 * ago: a computer left alone gives no rights away.
 */
export function changePage(app: App, deps: WebPlatform, each: ChangePage): void {
  const path = `/operator/accounts/:id/${each.name}`;
  const config = page(signedIn('operator'), { fresh: true });
  type Asked = { params: Static<typeof params> };
  const show = (request: Request, reply: Reply, account: Account, form: object) =>
    deps.pages.send(request, reply, each.template, { account, labels: each.labels, ...form });

  app.get(path, { config, schema: { params } }, async (request, reply) => {
    const account = await requireAccount(deps, request as Asked);
    return show(request, reply, account, { values: each.values(account) });
  });

  app.post(path, { config, schema: { params, body: anyForm } }, async (request, reply) => {
    const account = await requireAccount(deps, request as Asked);
    try {
      const done = await each.change(actorOf(requireCaller(request), request.ip), account, request.body);
      return reply.redirect(accountDone.path(`/operator/accounts/${account.id}`, done), 303);
    } catch (error) {
      if (!(error instanceof Problem) || error.kind.status >= 500) throw error;
      const errors = formProblem(each.labels, error);
      reply.code(error.kind.status);
      return show(request, reply, account, { values: each.read(request.body), errors });
    }
  });
}

/** @throws Problem `not-found`. */
export async function requireAccount(
  { db }: WebPlatform,
  { params: { id } }: { params: { id: string } },
): Promise<Account> {
  const account = isUuid(id) ? await findAccount(db, id) : undefined;
  if (!account) throw new Problem(notFound);
  const { passwordHash: _, ...rest } = account;
  return rest;
}
