import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { Account } from '../model/account.ts';
import { type AccountRow, accountColumnsSql, accountFromRow, isInvitedSql } from '../model/accounts-store.ts';
import { sessionLength } from '../sign-in/session.ts';

/** An account as the operator's list shows it. */
export type AccountSummary = Account & {
  /** The holder was invited and has not accepted yet. */
  invited: boolean;
  /** Until when the link of their invitation works. */
  invitedUntil: Date | null;
  hasAuthenticator: boolean;
  passkeys: number;
};

/** The lists that operators open by themselves. `invited` are those who can still accept. */
export const accountLists = ['all', 'invited', 'disabled'] as const;
export type AccountList = (typeof accountLists)[number];

export type AccountSearch = {
  /** Part of the name, the email address or the organisation's name. */
  text: string;
  /** All, if it is left out. */
  list?: AccountList;
  /** The last account of the page before. */
  afterId?: string | undefined;
  limit: number;
};

/** Finds accounts, in the order of their email addresses. It reads every row: a site has thousands of accounts. */
export async function searchAccounts(
  db: Db,
  { text, list = 'all', afterId, limit }: AccountSearch,
): Promise<AccountSummary[]> {
  type Row = AccountRow & Pick<AccountSummary, 'invited' | 'invitedUntil' | 'hasAuthenticator' | 'passkeys'>;
  const searched = text.trim().toLowerCase();
  const { rows } = await sql<Row>`
    select ${accountColumnsSql}, ${isInvitedSql} as invited,
      (select expires_at from account_links l where l.account_id = a.id and l.purpose = 'invitation') as "invitedUntil",
      exists (select from authenticators f where f.account_id = a.id and f.confirmed_at is not null)
        as "hasAuthenticator",
      (select count(*)::int from passkeys p where p.account_id = a.id) as passkeys
    from accounts a left join organisations o on o.id = a.organisation_id
    where (${list} = 'all' or (${list} = 'invited' and ${isInvitedSql} and a.disabled_at is null)
        or (${list} = 'disabled' and a.disabled_at is not null))
      and strpos(lower(concat_ws(E'\n', a.email, a.name, o.name)), ${searched}) > 0
      and (${afterId ?? null}::uuid is null or a.email > (select email from accounts where id = ${afterId ?? null}::uuid))
    order by a.email limit ${limit}`.execute(db);
  return rows.map(({ invited, invitedUntil, hasAuthenticator, passkeys, ...row }) => {
    const { passwordHash: _, ...account } = accountFromRow(row);
    return { ...account, invited, invitedUntil, hasAuthenticator, passkeys };
  });
}

/** How many accounts each list has. */
export async function countAccountLists(db: Db): Promise<Record<AccountList, number>> {
  const { rows } = await sql<Record<AccountList, number>>`
    select count(*)::int as "all", (count(*) filter (where ${isInvitedSql} and a.disabled_at is null))::int as invited,
      (count(*) filter (where a.disabled_at is not null))::int as disabled from accounts a`.execute(db);
  return rows[0]!;
}

/** When the holders of these accounts last signed in. The audit keeps it, since a session is deleted when it ends. */
export async function findLastSignIns(db: Db, ids: readonly string[]): Promise<Map<string, Date>> {
  const { rows } = await sql<{ id: string; at: Date }>`
    select a.id, last.at from unnest(${[...ids]}::uuid[]) as a (id) cross join lateral (
      select at from audit_entries e
      where e.actor_id = a.id and e.action = 'session.started' and e.outcome = 'done' order by e.at desc limit 1) as last`.execute(
    db,
  );
  return new Map(rows.map(({ id, at }) => [id, at]));
}

/** How an account can be signed in to, and its sessions. */
export type AccountSignInMethods = {
  hasPassword: boolean;
  authenticatorSince: Date | null;
  passkeys: number;
  recoveryCodes: number;
  /** The outside providers that its holder signs in with. */
  issuers: string[];
  /** The end of an open invitation. */
  invitedUntil: Date | null;
  sessions: number;
  lastSeenAt: Date | null;
};

export async function findSignInMethods(db: Db, id: string, now: Date): Promise<AccountSignInMethods> {
  const seenAfter = new Date(now.getTime() - sessionLength.idleMs);
  const { rows } = await sql<AccountSignInMethods>`
    select a.password_hash is not null as "hasPassword",
      (select confirmed_at from authenticators where account_id = a.id) as "authenticatorSince",
      (select count(*)::int from passkeys where account_id = a.id) as passkeys,
      (select count(*)::int from recovery_codes where account_id = a.id) as "recoveryCodes",
      array(select issuer from identities where account_id = a.id order by issuer) as issuers,
      (select expires_at from account_links
        where account_id = a.id and purpose = 'invitation' and expires_at > ${now}) as "invitedUntil",
      (select count(*)::int from sessions
        where account_id = a.id and expires_at > ${now} and last_seen_at > ${seenAfter}) as sessions,
      (select max(last_seen_at) from sessions where account_id = a.id) as "lastSeenAt"
    from accounts a where a.id = ${id}`.execute(db);
  return rows[0]!;
}
