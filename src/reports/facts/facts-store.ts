import { sql } from 'kysely';
import { siteActor } from '../../audit/index.ts';
import type { Trx } from '../../platform/database/index.ts';
import { poorBands } from '../model/poor-bands.ts';

const isSentSql = (alias: string) =>
  sql`${sql.table(alias)}.requested_at is not null and ${sql.table(alias)}.status <> 'entered-in-error'`;

/** The time up to which changes were read, locked: other readers of changes wait until the transaction ends. */
export async function lockProgress(trx: Trx): Promise<Date> {
  const { read_until } = await trx
    .selectFrom('report_progress')
    .select('read_until')
    .forUpdate()
    .executeTakeFirstOrThrow();
  return read_until;
}

/** Makes the next run read referrals without a decile again, once new deciles were imported. Call `lockProgress` first. */
export async function readAgainForDeciles(trx: Trx): Promise<void> {
  const { rows } = await sql`
    update report_progress set deciles_read = imported_at, read_until = '2000-01-01T00:00:00Z'
    from postcode_deciles where imported_at is distinct from deciles_read returning 1`.execute(trx);
  if (rows.length > 0)
    await sql`update report_facts set row_version = 0 where imd_decile is null`.execute(trx);
}

export async function setProgress(trx: Trx, readUntil: Date): Promise<void> {
  await trx.updateTable('report_progress').set({ read_until: readUntil }).execute();
}

/**
 * The referrals that changed since a time and whose facts are not of their present version, the earliest change first. The version is `xmin`
 * and not `updated_at`, because two changes may have one time. After a restore all differ, and all facts are written again.
 */
export async function listChangedReferrals(
  trx: Trx,
  since: Date,
  limit: number,
): Promise<{ id: string; updatedAt: Date }[]> {
  const { rows } = await sql<{ id: string; updatedAt: Date }>`
    select r.id, r.updated_at as "updatedAt" from referrals r left join report_facts f on f.referral_id = r.id
    where r.updated_at >= ${since} and r.requested_at is not null
      and f.row_version is distinct from r.xmin::text::bigint and f.kept_until_published is not true
    order by r.updated_at, r.id limit ${limit}`.execute(trx);
  return rows;
}

/** The person's age on a day, in bands of the Census. */
const ageBandSql = sql`case when age is null then null when age < 18 then '0-17' when age < 25 then '18-24' when age < 35 then '25-34'
  when age < 45 then '35-44' when age < 55 then '45-54' when age < 65 then '55-64' when age < 75 then '65-74'
  when age < 85 then '75-84' else '85+' end`;

/** The groups of the Census, from the codes of the NHS data dictionary. */
const ethnicGroupSql = sql`case when content -> 'patient' ->> 'ethnic_category' in ('A', 'B', 'C') then 'white'
  when content -> 'patient' ->> 'ethnic_category' in ('D', 'E', 'F', 'G') then 'mixed'
  when content -> 'patient' ->> 'ethnic_category' in ('H', 'J', 'K', 'L', 'R') then 'asian'
  when content -> 'patient' ->> 'ethnic_category' in ('M', 'N', 'P') then 'black'
  when content -> 'patient' ->> 'ethnic_category' = 'S' then 'other' end`;

/**
 * The fields that clients may leave out, and when one counts as filled in. For the first four, which are questions, it counts that they were
 * asked.
 */
const fieldConditions = {
  risk: sql`coalesce(content ->> 'risk', 'not_asked') <> 'not_asked'`,
  contact: sql`coalesce(content -> 'contact' ->> 'safe', 'not_asked') <> 'not_asked'`,
  agreement: sql`('not_asked' in (content -> 'agreement' ->> 'basis', content -> 'consent' -> 'said_by' ->> 'basis')) is not true`,
  gp_actions: sql`coalesce(content -> 'gp_actions_answered' ? 'referral', content ? 'gp_actions')`,
  nhs_number: sql`content -> 'patient' ? 'nhs_number'`,
  telephone: sql`content -> 'patient' ? 'telephone'`,
  email: sql`content -> 'patient' ? 'email'`,
  gender: sql`content -> 'patient' ? 'gender'`,
  ethnic_category: sql`coalesce(content -> 'patient' ->> 'ethnic_category', '99') <> '99'`,
  communication_needs: sql`content -> 'patient' ? 'communication_needs'`,
  gp_practice: sql`practice_ods_code is not null`,
  needs: sql`jsonb_array_length(coalesce(content -> 'needs', '[]')) > 0`,
  goals: sql`jsonb_array_length(coalesce(content -> 'goals', '[]')) > 0`,
  what_matters: sql`content ? 'what_matters'`,
  reasonable_adjustments: sql`jsonb_array_length(coalesce(content -> 'reasonable_adjustments', '[]')) > 0`,
  episode: sql`content ? 'episode'`,
  source: sql`content ? 'source'`,
  method: sql`content ? 'method'`,
} as const;

export const fieldNames = Object.keys(fieldConditions);

const givenFieldsSql = sql`array_remove(array[${sql.join(
  Object.entries(fieldConditions).map(
    ([name, condition]) => sql`case when ${condition} then ${sql.lit(name)} end`,
  ),
)}], null)`;

const goalsWithSql = (result: 'achieved' | 'partly') =>
  sql`(select count(*) from jsonb_array_elements(content -> 'goals') goal where goal ->> 'result' = ${sql.lit(result)})`;

/** The columns of report_facts that are read from the referral, and how. `historySql`, `measuresSql` and `lettersSql` are the queries below. */
const columns = {
  row_version: sql`row_version`,
  status: sql`status`,
  simulated: sql`simulated`,
  sent_at: sql`requested_at`,
  sent_on: sql`sent_on`,
  due_at: sql`due_at`,
  next_date: sql`next_date`,
  answered_at: sql`history.answered_at`,
  accepted_at: sql`history.accepted_at`,
  first_contact_at: sql`first_contact_at`,
  started_at: sql`history.started_at`,
  // A referral that was opened again after its end has not ended.
  ended_at: sql`case when status in ('rejected', 'completed', 'failed', 'cancelled') then history.ended_at end`,
  end_reason: sql`status_reason ->> 'code'`,
  service_id: sql`service_id`,
  service_organization_id: sql`service_organization_id`,
  referrer_account_id: sql`referrer_account_id`,
  practice_ods_code: sql`practice_ods_code`,
  // The first 8 bytes of the key, as a number.
  person: sql`('x' || left(encode(patient_name_key, 'hex'), 16))::bit(64)::bigint`,
  age_band: ageBandSql,
  gender: sql`content -> 'patient' ->> 'gender'`,
  ethnic_group: ethnicGroupSql,
  interpreter: sql`case when erased_at is null then content -> 'patient' -> 'communication_needs' ? 'interpreter' is true end`,
  needs: sql`array(select jsonb_array_elements_text(content -> 'needs'))`,
  district: sql`upper(left(sent.postcode, -3))`,
  changes: sql`measures.changes`,
  left_low_band: sql`measures.left_low_band`,
  goals: sql`coalesce(jsonb_array_length(content -> 'goals'), 0)`,
  goals_achieved: goalsWithSql('achieved'),
  goals_partly: goalsWithSql('partly'),
  person_helped: sql`(select answer = 'got-help' from person_answers a
    where a.referral_id = sent.id and answer <> 'no-longer-wanted' order by a.id desc limit 1)`,
  erased: sql`erased_at is not null`,
  fields: givenFieldsSql,
  letters: sql`letters.letters`,
  letters_in_1_day: sql`letters.in_1_day`,
  letters_in_5_days: sql`letters.in_5_days`,
  letters_by_hand: sql`letters.by_hand`,
  letters_read_until: sql`letters.read_until`,
} as const;
const columnNames = Object.keys(columns);

/** The letters that told a GP practice, or are to tell it. */
const lettersSql = sql`
  select count(*) as letters, count(*) filter (where sent_at <= created_at + interval '1 day') as in_1_day,
    count(*) filter (where sent_at <= created_at + interval '5 days') as in_5_days,
    count(*) filter (where exists (select from worklist w where w.delivery_id = d.id)) as by_hand, max(updated_at) as read_until
  from deliveries d
  where d.referral_id = sent.id and leg = 'gp_practice' and message_id is not null and (status <> 'suppressed' or sent_at is not null)`;

/** The first and the last value of each measure that has both. What was sent with the outcome counts last. */
const measuresSql = sql`
  select jsonb_object_agg(code, last - first) as changes,
    jsonb_object_agg(code, not (case when lower_is_better then last >= low else last <= low end))
      filter (where case when lower_is_better then first >= low else first <= low end) as left_low_band
  from (
    select value ->> 'code' as code,
      (array_agg((value ->> 'value')::numeric order by number desc) filter (where value ->> 'stage' = 'start'))[1] as first,
      (array_agg((value ->> 'value')::numeric order by number desc) filter (where value ->> 'stage' = 'end'))[1] as last
    from jsonb_array_elements(coalesce(content -> 'measures', '[]') || coalesce(outcome -> 'measures', '[]'))
      with ordinality as taken(value, number)
    group by 1) as pairs
  left join jsonb_to_recordset(${JSON.stringify(poorBands)}::jsonb) as band(code text, low numeric, lower_is_better boolean) using (code)
  where first is not null and last is not null`;

/** When the service answered, accepted and started, and when the referral ended. */
const historySql = sql`
  select min(at) filter (where from_status = 'requested' and to_status in ('accepted', 'rejected')
    -- A person who answers by the link in an email has no account, and the site is no person who answers.
    and (actor_id is not null or actor_name <> ${siteActor.name}) and reason ->> 'code' is distinct from 'died'
    -- A decline that was taken back is no answer: the next one is.
    and not (to_status = 'rejected' and exists (
      select from referral_history undone
      where undone.referral_id = sent.id and undone.version > line.version and undone.from_status = 'rejected'))) as answered_at,
    min(at) filter (where to_status = 'accepted') as accepted_at,
    min(at) filter (where to_status in ('in-progress', 'completed')) as started_at,
    max(at) filter (where to_status in ('rejected', 'completed', 'failed', 'cancelled')
      -- A line after the end that left the status as it was is no end.
      and from_status is distinct from to_status) as ended_at
  from referral_history line where line.referral_id = sent.id`;

/** Writes the row of facts of each of these referrals. A referral made in error keeps its row, with its status. */
export async function writeFacts(trx: Trx, ids: readonly string[]): Promise<void> {
  const columnsSql = sql.join(columnNames.map((name) => sql.ref(name)));
  const excluded = sql.join(columnNames.map((name) => sql.ref(`excluded.${name}`)));
  await sql`
    insert into report_facts (referral_id, ${columnsSql}, imd_decile, imd_year, journey_id, journey_status, journey_completed)
    select sent.id, ${sql.join(Object.values(columns))}, p.imd_decile, p.imd_year, sent.id, status, false
    from (
      select r.*, r.xmin::text::bigint as row_version, (r.requested_at at time zone 'Europe/London')::date as sent_on,
        extract(year from age((r.requested_at at time zone 'Europe/London')::date,
          (r.content -> 'patient' ->> 'birth_date')::date))::int as age,
        replace(r.content -> 'patient' -> 'address' ->> 'postcode', ' ', '') as postcode
      from referrals r where r.id = any(${ids}::uuid[]) and r.requested_at is not null) as sent
    cross join lateral (${historySql}) as history
    cross join lateral (${measuresSql}) as measures
    cross join lateral (${lettersSql}) as letters
    left join postcodes p on p.postcode = upper(left(sent.postcode, -3) || ' ' || right(sent.postcode, 3))
    on conflict (referral_id) do update set (${columnsSql}, imd_decile, imd_year) = (${excluded},
      -- The decile stays as it was when the referral was sent.
      coalesce(report_facts.imd_decile, excluded.imd_decile), coalesce(report_facts.imd_year, excluded.imd_year))
    -- What is kept of an erased referral cannot be read again.
    where not report_facts.kept_until_published`.execute(trx);
}

/**
 * Writes where the journeys of these referrals stand. A journey is a referral and those that replace it, one after the other; it
 * counts where its first referral does, and its last one says how it stands.
 * @returns the ids of all referrals of these journeys
 */
export async function writeJourneys(trx: Trx, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive changed as (
      select id from referrals where id = any(${ids}::uuid[])
      union select reroutes from referrals where id = any(${ids}::uuid[]) and reroutes is not null
      union select id from referrals where reroutes = any(${ids}::uuid[])),
    -- From each changed referral back to those that it replaced.
    up as (
      select r.id, r.reroutes from referrals r join changed using (id) where ${isSentSql('r')}
      union select p.id, p.reroutes from up join referrals p on p.id = up.reroutes where ${isSentSql('p')}),
    -- From the first referrals found so, forward to those that replaced them; step counts them.
    down as (
      select up.id as journey_id, up.id, r.status, 1 as step from up join referrals r on r.id = up.id
      where not exists (select from referrals p where p.id = up.reroutes and ${isSentSql('p')})
      union all
      select down.journey_id, r.id, r.status, step + 1 from down join referrals r on r.reroutes = down.id where ${isSentSql('r')}),
    journeys as (
      select down.journey_id, (array_agg(down.status order by step desc))[1] as status,
        bool_or(down.status = 'completed' and step > 1) as completed,
        coalesce(bool_or(goals_achieved + goals_partly > 0), false) as goals_met,
        -- What the person said last, of the latest referral that they said anything of.
        coalesce((array_agg(person_helped order by step desc) filter (where person_helped is not null))[1], false) as person_helped
      from down left join report_facts said on said.referral_id = down.id group by 1)
    update report_facts f set journey_id = down.journey_id, journey_status = journeys.status, journey_completed = journeys.completed,
      journey_goals_met = journeys.goals_met, journey_person_helped = journeys.person_helped
    from down join journeys using (journey_id) where f.referral_id = down.id
    returning f.referral_id as id`.execute(trx);
  return rows.map(({ id }) => id);
}

/** The people, as numbers, whom the facts of these referrals are about before they are written again. */
export async function listPeopleOfFacts(trx: Trx, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ person: string }>`
    select distinct person::text as person from report_facts
    where referral_id = any(${ids}::uuid[]) and person is not null`.execute(trx);
  return rows.map(({ person }) => person);
}

/**
 * Writes which referrals of the same people were followed by another one within 30 days after their end. A replacement does not count.
 * @param formerPeople whom these referrals were about before: after a correction, another person's earlier referral may stand alone
 * @returns the ids of the referrals for which this changed.
 */
export async function writeReferredAgain(
  trx: Trx,
  ids: readonly string[],
  formerPeople: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update report_facts f set referred_again = now_is.again
    from (
      select earlier.referral_id, exists (
        select from report_facts later
        where later.person = earlier.person and later.journey_id <> earlier.journey_id and later.status <> 'entered-in-error'
          and later.sent_at > earlier.ended_at and later.sent_at <= earlier.ended_at + interval '30 days') as again
      from report_facts earlier
      where earlier.person in (
        select person from report_facts where referral_id = any(${ids}::uuid[]) union select unnest(${formerPeople}::bigint[]))) as now_is
    where f.referral_id = now_is.referral_id and f.referred_again <> now_is.again
    returning f.referral_id as id`.execute(trx);
  return rows.map(({ id }) => id);
}

/** Brings the counts of letters to practices up to date. @returns the ids of the referrals whose letters changed since then */
export async function writeLetters(trx: Trx, since: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update report_facts f set letters = letters.letters, letters_in_1_day = letters.in_1_day, letters_in_5_days = letters.in_5_days,
      letters_by_hand = letters.by_hand, letters_read_until = letters.read_until
    from (
      select distinct referral_id as id from deliveries
      where leg = 'gp_practice' and updated_at >= ${since}) as sent
    cross join lateral (${lettersSql}) as letters
    where f.referral_id = sent.id and f.letters_read_until is distinct from letters.read_until
    returning f.referral_id as id`.execute(trx);
  return rows.map(({ id }) => id);
}
