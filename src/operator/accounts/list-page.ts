import { Type } from 'typebox';
import {
  type AccountList,
  type AccountSummary,
  accountLists,
  countAccountLists,
  findLastSignIns,
  findLockedAccounts,
  type Role,
  searchAccounts,
} from '../../accounts/index.ts';
import { upperFirst } from '../../platform/first-letter.ts';
import { timeInWords } from '../../platform/html/index.ts';
import { type App, page, signedIn } from '../../platform/http/index.ts';
import { isUuid } from '../../platform/ids/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { findKeyActivity } from '../../tokens/index.ts';

const pageLength = 50;
const querystring = Type.Object({
  text: Type.Optional(Type.String({ maxLength: 200 })),
  list: Type.Optional(Type.String({ maxLength: 20 })),
  cursor: Type.Optional(Type.String({ maxLength: 100 })),
});

const listNames: Readonly<Record<AccountList, string>> = {
  all: 'All',
  invited: 'Invited',
  disabled: 'Disabled',
};

/** The list of accounts, by email address; a search shows those that contain a text. */
export function accountListPage(app: App, deps: WebPlatform): void {
  const config = page(signedIn('operator'));
  app.get('/operator/accounts', { config, schema: { querystring } }, async (request, reply) => {
    const { text = '', cursor = '' } = request.query;
    const list = accountLists.find((each) => each === request.query.list) ?? 'all';
    const afterId = isUuid(cursor) ? cursor : undefined;
    const results = await searchAccounts(deps.db, { text, list, afterId, limit: pageLength + 1 });
    const accounts = results.slice(0, pageLength);
    const ids = accounts.map(({ id }) => id);
    const keys = await findKeyActivity(deps.db, ids);
    const signIns = await findLastSignIns(deps.db, ids);
    const locked = await findLockedAccounts(deps, accounts);
    const next = results.length > pageLength ? accounts.at(-1)!.id : undefined;
    const now = deps.clock.now();
    const counts = await countAccountLists(deps.db);
    return deps.pages.send(request, reply, 'operator/accounts/templates/accounts.njk', {
      text,
      list,
      tabs: accountLists.map((each) => ({
        text: listNames[each],
        href: addressOf(each, text),
        count: counts[each],
        isHere: each === list,
      })),
      firstHref: afterId && addressOf(list, text),
      rows: accounts.map((account) => ({
        ...rowOf(account),
        status: statusOf(account, locked.get(account.id), now),
        signedInAt: signIns.get(account.id),
        keysUsedAt: keys.get(account.id)?.lastUsedAt,
      })),
      nextHref: next && addressOf(list, text, next),
    });
  });
}

function addressOf(list: AccountList, text: string, cursor = ''): string {
  const query = new URLSearchParams({
    ...(list !== 'all' && { list }),
    ...(text && { text }),
    ...(cursor && { cursor }),
  });
  return query.size === 0 ? '/operator/accounts' : `/operator/accounts?${query}`;
}

function rowOf(account: AccountSummary) {
  return {
    href: `/operator/accounts/${account.id}`,
    name: account.name,
    email: account.email,
    roles: describeRoles(account.roles),
    invitedUntil: account.invitedUntil,
    organisation: account.organisation?.name,
    hasApiAccess: account.hasApiAccess,
    secondFactors: describeSecondFactors(account),
    system: account.isSystem,
    withoutOwner: account.isSystem && account.ownerId === null,
  };
}

/** Whether an account can be used now. */
function statusOf(account: AccountSummary, lockedUntil: Date | undefined, now: Date) {
  const { disabledAt, invited, invitedUntil } = account;
  if (disabledAt !== null) return { text: 'Disabled', colour: 'red' };
  if (invited && (invitedUntil === null || invitedUntil <= now))
    return { text: 'Invitation has run out', colour: 'yellow' };
  if (invited) return { text: 'Invited', colour: 'grey' };
  if (lockedUntil) return { text: `Locked until ${timeInWords(lockedUntil)}`, colour: 'orange' };
  return { text: 'Active', colour: 'green' };
}

/** Roles as a list in words: “Operator and referrer”. */
export function describeRoles(roles: readonly Role[]): string {
  const list = new Intl.ListFormat('en-GB').format(roles);
  return upperFirst(list);
}

/** The second factors of an account in words; undefined if it has none. */
export function describeSecondFactors({
  hasAuthenticator,
  passkeys,
}: {
  hasAuthenticator: boolean;
  passkeys: number;
}): string | undefined {
  const parts = [
    ...(hasAuthenticator ? ['authenticator app'] : []),
    ...(passkeys > 0 ? [passkeys === 1 ? 'a passkey' : `${passkeys} passkeys`] : []),
  ];
  const list = new Intl.ListFormat('en-GB').format(parts);
  return parts.length > 0 ? upperFirst(list) : undefined;
}
