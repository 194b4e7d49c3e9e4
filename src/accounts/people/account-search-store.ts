import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { Account } from '../model/account.ts';
import { accountColumns, accountFromRow, isInvited } from '../model/accounts-store.ts';
import { sessionLength } from '../sign-in/session.ts';

/** An account as the operator's list shows it. */
export type FoundAccount = Account & {
  /** Has no way in yet: their holder was invited and has not come. */
  invited: boolean;
  hasAuthenticator: boolean;
  passkeys: number;
};

export type AccountSearch = {
  /** In the name, the email address or the organisation's name. */
  text: string;
  /** The account after which to go on. */
  afterId?: string | undefined;
  limit: number;
};

/** Accounts by email address. Every row is looked at: a site has thousands of accounts, not millions. */
export async function searchAccounts(
  db: Db,
  { text, afterId, limit }: AccountSearch,
): Promise<FoundAccount[]> {
  type Row = Parameters<typeof accountFromRow>[0] &
    Pick<FoundAccount, 'invited' | 'hasAuthenticator' | 'passkeys'>;
  const wanted = text.trim().toLowerCase();
  const { rows } = await sql<Row>`
    select ${accountColumns}, ${isInvited} as invited,
      exists (select from authenticators f where f.account_id = a.id and f.confirmed_at is not null)
        as "hasAuthenticator",
      (select count(*)::int from passkeys p where p.account_id = a.id) as passkeys
    from accounts a left join organisations o on o.id = a.organisation_id
    where strpos(lower(concat_ws(E'\n', a.email, a.name, o.name)), ${wanted}) > 0
      and (${afterId ?? null}::uuid is null or a.email > (select email from accounts where id = ${afterId ?? null}::uuid))
    order by a.email limit ${limit}`.execute(db);
  return rows.map(({ invited, hasAuthenticator, passkeys, ...row }) => {
    const { passwordHash: _, ...account } = accountFromRow(row);
    return { ...account, invited, hasAuthenticator, passkeys };
  });
}

/** The ways into an account, and who is in. */
export type SignInWays = {
  hasPassword: boolean;
  authenticatorSince: Date | null;
  passkeys: number;
  recoveryCodes: number;
  /** The outside providers that its holder signs in with. */
  issuers: string[];
  /** Until when an invitation can be accepted. */
  invitedUntil: Date | null;
  sessions: number;
  lastSeenAt: Date | null;
};

export async function findSignInWays(db: Db, id: string, now: Date): Promise<SignInWays> {
  const seenAfter = new Date(now.getTime() - sessionLength.idleMs);
  const { rows } = await sql<SignInWays>`
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
