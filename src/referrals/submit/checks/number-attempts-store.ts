import { sql } from 'kysely';
import type { Caller } from '../../../accounts/index.ts';
import type { Db, Trx } from '../../../platform/database/index.ts';
import { hourMs } from '../../../platform/durations.ts';
import type { PatientKeys } from '../../model/person/identity/patient.ts';
import { keysInHex } from '../../model/person/identity/same-person-store.ts';

/** How many wrong names or birth dates an organisation may send with one number. Honest typing mistakes stay below this. */
const maxAttempts = 5;
const attemptWindowMs = 24 * hourMs;

/** Somebody who sends an NHS number, by keyed hashes. */
type NumberAttempt = { caller: Pick<Caller, 'accountId' | 'organisation'>; keys: PatientKeys };

/**
 * The candidates whose number was sent with too many wrong details by the caller's organisation, or by an account of none; each
 * with the moment from which its number is compared again.
 */
export async function findBlockedNumbers<T extends NumberAttempt>(
  trx: Trx,
  candidates: readonly T[],
  at: Date,
): Promise<ReadonlyMap<T, Date>> {
  if (candidates.length === 0) return new Map();
  const wanted = candidates.map(({ keys, caller }, index) => ({
    index,
    account: caller.accountId,
    organisation: caller.organisation?.id ?? null,
    ...keysInHex(keys),
  }));
  const { rows } = await sql<{ index: number; lastAllowedAttemptAt: Date }>`
    select w.index, allowed.last_allowed_at as "lastAllowedAttemptAt"
    from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as w(index int, account uuid, organisation uuid, number text)
      cross join lateral (
        -- The same details sent again count once, at the last time. Of these times it takes the fifth newest: from then on all attempts are used up.
        select max(n.at) as last_allowed_at from number_attempts n join accounts a on a.id = n.account_id
        where n.number_key = decode(w.number, 'hex') and n.at > ${new Date(at.getTime() - attemptWindowMs)}
          and (n.account_id = w.account or a.organisation_id = w.organisation)
        group by n.details_key order by 1 desc offset ${maxAttempts - 1} limit 1) as allowed`.execute(trx);
  return new Map(
    rows.map(({ index, lastAllowedAttemptAt }) => [
      candidates[index]!,
      new Date(lastAllowedAttemptAt.getTime() + attemptWindowMs),
    ]),
  );
}

export async function saveNumberAttempt(trx: Trx, { caller, keys }: NumberAttempt, at: Date): Promise<void> {
  await sql`
    insert into number_attempts (number_key, details_key, account_id, at)
    values (${keys.number}, ${keys.name}, ${caller.accountId}, ${at})
    on conflict (number_key, account_id, details_key) do update set at = excluded.at`.execute(trx);
}

export async function deleteOldNumberAttempts(db: Db, now: Date): Promise<void> {
  await sql`delete from number_attempts where at <= ${new Date(now.getTime() - attemptWindowMs)}`.execute(db);
}
