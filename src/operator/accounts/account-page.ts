import { Type } from 'typebox';
import {
  findAccount,
  findLastSignIns,
  findLockedAccounts,
  findSignInMethods,
  listSystemsOf,
  loadLeave,
  requireCaller,
} from '../../accounts/index.ts';
import { type App, page, signedIn } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { findKeyActivity, listNamedKeys } from '../../tokens/index.ts';
import { accountDone, requireAccount } from './change-form.ts';
import { describeRoles, describeSecondFactors } from './list-page.ts';

const params = Type.Object({ id: Type.String() });
const querystring = Type.Object({ done: accountDone.query });

/** The page about one account, with links to change it. */
export function accountPage(app: App, deps: WebPlatform): void {
  const config = page(signedIn('operator'));
  app.get('/operator/accounts/:id', { config, schema: { params, querystring } }, async (request, reply) => {
    const account = await requireAccount(deps, request);
    const { leave } = await loadLeave(deps, account.id);
    const signInMethods = await findSignInMethods(deps.db, account.id, deps.clock.now());
    const keys = (await findKeyActivity(deps.db, [account.id])).get(account.id);
    const hasAuthenticator = signInMethods.authenticatorSince !== null;
    return deps.pages.send(request, reply, 'operator/accounts/templates/account.njk', {
      done: accountDone.words(request.query.done),
      account,
      // Operators cannot change their own rights.
      isOwn: requireCaller(request).accountId === account.id,
      signInMethods,
      signedInAt: (await findLastSignIns(deps.db, [account.id])).get(account.id),
      lockedUntil: (await findLockedAccounts(deps, [account])).get(account.id),
      leave,
      keys,
      owner: account.ownerId && (await findAccount(deps.db, account.ownerId)),
      namedKeys: account.isSystem ? await listNamedKeys(deps.db, account.id, deps.clock.now()) : [],
      systems: await listSystemsOf(deps.db, account.id),
      roles: describeRoles(account.roles),
      secondFactors: describeSecondFactors({ hasAuthenticator, passkeys: signInMethods.passkeys }),
      // Somebody who cannot sign in yet has only an invitation.
      invited:
        !account.isSystem &&
        !signInMethods.hasPassword &&
        signInMethods.passkeys === 0 &&
        signInMethods.issuers.length === 0,
    });
  });
}
