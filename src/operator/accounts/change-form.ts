import { type Static, Type } from 'typebox';
import { type Account, actorOf, findAccount, refuseOwnAccount, requireCaller } from '../../accounts/index.ts';
import type { Actor } from '../../audit/index.ts';
import { successBanner, toFormErrors } from '../../platform/html/index.ts';
import { type App, anyForm, page, type Reply, type Request, signedIn } from '../../platform/http/index.ts';
import { requireById } from '../../platform/ids/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { notFound, Problem, requireRefusal } from '../../platform/problem/index.ts';

/** A page with a form that changes one thing about an account. */
export type ChangeForm = {
  /** The last part of the page's path. */
  name: string;
  template: string;
  /** The fields in order, with their names. */
  labels: Readonly<Record<string, string>>;
  /** Operators cannot do it to their own account. */
  forOthersOnly?: boolean;
  /** Whose accounts have the form. Most forms are about people, because nobody signs in as a system. */
  about: 'people' | 'systems' | 'all';
  /** The values that the form has at first. */
  values(account: Account): object | Promise<object>;
  /** Reads the values of the form, to show them again if they are refused. */
  read(body: unknown): object;
  /** The values that the page's template needs besides the account. */
  extraContext?(account: Account): object | Promise<object>;
  /** Finds the choices to show after a refusal, such as of an organisation that does not exist. */
  suggestions?(account: Account, body: unknown): Promise<unknown>;
  /** Makes the change. @returns the message for the account's page. @throws Problem */
  change(actor: Actor, account: Account, body: unknown): Promise<AccountMessage>;
};

const params = Type.Object({ id: Type.String() });

/**
 * Adds a page with such a form. Only an operator who signed in recently may change an account, because somebody may
 * have left a computer unlocked.
 */
export function addChangeForm(app: App, deps: WebPlatform, changeForm: ChangeForm): void {
  const path = `/operator/accounts/:id/${changeForm.name}`;
  const config = page(signedIn('operator'), { needsRecentSignIn: true });
  type AccountRequest = { params: Static<typeof params> };
  const requireChangeableAccount = async (request: AccountRequest) => {
    const account = await requireAccount(deps, request);
    const { about } = changeForm;
    if (about !== 'all' && (about === 'systems') !== account.isSystem) throw new Problem(notFound);
    return account;
  };
  const show = async (request: Request, reply: Reply, account: Account, form: object) =>
    deps.pages.send(request, reply, changeForm.template, {
      account,
      labels: changeForm.labels,
      ...(await changeForm.extraContext?.(account)),
      ...form,
    });

  app.get(path, { config, schema: { params } }, async (request, reply) => {
    const account = await requireChangeableAccount(request as AccountRequest);
    if (changeForm.forOthersOnly) refuseOwnAccount({ id: requireCaller(request).accountId }, account.id);
    return show(request, reply, account, { values: await changeForm.values(account) });
  });

  app.post(path, { config, schema: { params, body: anyForm } }, async (request, reply) => {
    const account = await requireChangeableAccount(request as AccountRequest);
    try {
      const message = await changeForm.change(
        actorOf(requireCaller(request), request.ip),
        account,
        request.body,
      );
      return reply.redirect(accountDone.path(`/operator/accounts/${account.id}`, message), 303);
    } catch (error) {
      requireRefusal(error);
      const errors = toFormErrors(changeForm.labels, error);
      reply.code(error.kind.status);
      const offered = await changeForm.suggestions?.(account, request.body);
      return show(request, reply, account, { values: changeForm.read(request.body), errors, offered });
    }
  });
}

/** The account that a path names, without its password hash. @throws Problem `not-found`. */
export async function requireAccount(
  { db }: WebPlatform,
  { params: { id } }: { params: { id: string } },
): Promise<Account> {
  const account = await requireById(id, (id) => findAccount(db, id));
  const { passwordHash: _, ...rest } = account;
  return rest;
}

/** The messages of an account's page after each of its forms. */
export const accountDone = successBanner({
  invited:
    'The account was made, and we have emailed the invitation. It works for 7 days: then send it again.',
  system: 'The system account was made. Its owner gets an email, and can make its keys.',
  owner: 'The owner was changed. They and the other operators get an email about it.',
  'invited-again': 'A new invitation is on its way. It works for 7 days.',
  on: 'API access was switched on. Next: its holder copies the keys under “API keys”.',
  off: 'API access was switched off, and every access token of the account has ended.',
  disabled: 'The account was disabled. Next: check that somebody else looks after its referrals.',
  enabled: 'The account was enabled.',
  email: 'The email address was changed, and both the old one and the new one are told.',
  roles: 'The roles were changed. Its holder and the other operators get an email about it.',
  organisation: 'The organisation was changed. Its holder and the other operators get an email about it.',
  leave: 'The leave was saved, and everybody concerned gets an email about it.',
  'leave-ended': 'The leave was ended, and its holder gets an email about it.',
  'second-factors':
    'Two-step sign-in was turned off. The account’s holder and the other operators get an email about it.',
});
type AccountMessage = Parameters<typeof accountDone.path>[1];
