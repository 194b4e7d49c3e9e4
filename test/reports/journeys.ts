import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { siteActor } from '../../src/audit/index.ts';
import { dayMs } from '../../src/platform/durations.ts';
import { aReferral, aService, aTokenHolder } from '../app/builders.ts';
import type { TestApp } from '../app/make-app.ts';

/**
 * Journeys are written in a line each: `accepted+2 started+9 completed+30` was accepted two days after it was sent. Every referral is due
 * ten days after it was sent. `contact+3` is the first contact. `rejected+2:no-capacity > +3 accepted+1` was declined, and replaced three
 * days after it was sent. A referral that nobody answered is an empty line.
 */
export type Journey = {
  sent: string;
  line: string;
  /** 32 hexadecimal digits; journeys with the same ones are of one person. */
  person?: string;
  birthDate?: string;
  gender?: string;
  serviceId?: string;
  postcode?: string;
  ethnicCategory?: string;
  /** The code of the GP practice. */
  practice?: string;
  needs?: string[];
  /** Points by which SWEMWBS changed, from 20 at the start. */
  change?: number;
  /** UCLA-3 at the start and at the end. */
  loneliness?: [start: number, end: number];
  /** The result of each goal of the last referral; null where nobody has said. */
  goals?: ('achieved' | 'partly' | 'not' | null)[];
  /** What the person says on the page of the last referral. */
  says?: 'got-help' | 'did-not-get-help';
  /** After how many days a letter of the last referral left for the GP practice; null if it never did. */
  letter?: number | null;
  /** An operator had to look after this letter. */
  byHand?: boolean;
  /** Everybody of the service answers by the link in an email, without an account; or the site declines. */
  by?: 'link' | 'site';
};

const statuses: Readonly<Record<string, string>> = { started: 'in-progress', held: 'on-hold' };
const dueDays = 10;

type Step = { status: string; at: Date; reason: string | undefined };

/** Stores the journeys as the site would have left them. @returns the ids of the first referral of each. */
export async function storeJourneys(site: TestApp, journeys: readonly Journey[]): Promise<string[]> {
  const { serviceId } = await aService(site.deps);
  const { headers } = await aTokenHolder(site.deps);
  const made = await site.app.inject({
    method: 'POST',
    url: '/api/referrals',
    headers,
    payload: aReferral(serviceId),
  });
  const template = made.json().id as string;
  const rows = journeys.flatMap((journey) => rowsOf(journey, site.clock.now()));
  await sql`
    insert into referrals select row.* from referrals template, jsonb_array_elements(${JSON.stringify(rows)}::jsonb) as given
      cross join lateral jsonb_populate_record(template, (given -> 'row') || jsonb_build_object('content', template.content ||
        jsonb_build_object('patient', template.content -> 'patient' || (given -> 'patient')) || (given -> 'content'),
        'service_id', coalesce(given ->> 'service', template.service_id))) as row
    where template.id = ${template}`.execute(site.deps.db);
  await sql`
    insert into referral_history (referral_id, version, at, actor_id, actor_name, from_status, to_status, reason)
    select (given -> 'row' ->> 'id')::uuid, line.version, line.at, case when given ? 'by' then null else r.referrer_account_id end,
      case given ->> 'by' when 'site' then ${siteActor.name} when 'link' then 'Rosa Reed, Manager, by link' else 'Somebody' end, line.from_status, line.to_status, line.reason
    from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) as given
      cross join lateral jsonb_to_recordset(given -> 'history') as line(version int, at timestamptz, from_status text, to_status text, reason jsonb)
      join referrals r on r.id = (given -> 'row' ->> 'id')::uuid`.execute(site.deps.db);
  await sql`
    insert into person_answers (id, referral_id, at, answer)
    select gen_random_uuid(), (given -> 'row' ->> 'id')::uuid, now(), given ->> 'says'
    from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) as given where given ->> 'says' is not null`.execute(
    site.deps.db,
  );
  await sql`
    with letters as (
      select given, (given -> 'row' ->> 'requested_at')::timestamptz as at, (given ->> 'letter')::float8 as days
      from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) as given where given ? 'letter'),
    sent as (
      insert into deliveries (id, referral_id, referral_version, leg, purpose, receiver_name, channel, status, simulated, message_id,
        attempts_started, created_at, updated_at, sent_at)
      select gen_random_uuid(), (given -> 'row' ->> 'id')::uuid, 1, 'gp_practice', 'referral', 'A practice', 'email',
        case when days is null then 'failed' else 'sent' end, true, gen_random_uuid(), 1, at, at, at + days * interval '1 day'
      from letters returning id, referral_id)
    insert into worklist (delivery_id, kind, reason, opened_at)
    select sent.id, 'failed', 'It failed.', now() from sent join letters on (given -> 'row' ->> 'id')::uuid = referral_id
    where (given ->> 'byHand')::boolean`.execute(site.deps.db);
  await sql`delete from referrals where id = ${template}`.execute(site.deps.db);
  return rows.filter(({ row }) => row.reroutes === null).map(({ row }) => row.id);
}

function rowsOf(journey: Journey, now: Date) {
  const { sent, line, birthDate, gender, serviceId, change, postcode, ethnicCategory, loneliness } = journey;
  const key = journey.person ?? randomUUID().replaceAll('-', '');
  let before: string | null = null;
  return line.split('>').map((part, index, parts) => {
    const isLast = index === parts.length - 1;
    const words = part.trim().split(/\s+/).filter(Boolean);
    const delay = index === 0 ? 0 : Number(words.shift());
    const at = new Date(Date.parse(`${sent}T12:00:00Z`) + delay * dayMs);
    const all = words.map((word) => stepOf(word, at));
    const steps = all.filter(({ status }) => status !== 'contact');
    const last = steps.at(-1);
    const id = randomUUID();
    const row = {
      id,
      reference: id.slice(0, 18),
      status: last?.status ?? 'requested',
      status_reason: last?.reason === undefined ? null : { code: last.reason, text: 'As it was.' },
      version: steps.length + 1,
      reroutes: before,
      requested_at: at,
      first_contact_at: all.find(({ status }) => status === 'contact')?.at ?? null,
      due_at: new Date(at.getTime() + dueDays * dayMs),
      next_date: null,
      updated_at: now,
      version_at: last?.at ?? at,
      patient_name_key: `\\x${key}`,
      patient_number_key: null,
      ...(journey.practice && { practice_ods_code: journey.practice, practice_name: 'A practice' }),
      outcome:
        last?.status === 'completed'
          ? {
              code: 'supported',
              text: 'Fine.',
              measures: [
                ...(change === undefined ? [] : pair('swemwbs', 20, 20 + change)),
                ...(loneliness === undefined ? [] : pair('ucla-3', ...loneliness)),
              ],
            }
          : null,
    };
    const sentAs: Step = { status: 'requested', at, reason: undefined };
    const history = [sentAs, ...steps].map(({ status, at, reason }, version, all) => ({
      version: version + 1,
      at,
      from_status: all[version - 1]?.status ?? null,
      to_status: status,
      reason: reason === undefined ? null : { code: reason, text: 'As it was.' },
    }));
    before = id;
    const patient = {
      ...(birthDate && { birth_date: birthDate }),
      ...(gender && { gender }),
      ...(postcode && { address: { lines: ['1 High Street'], postcode } }),
      ...(ethnicCategory && { ethnic_category: ethnicCategory }),
    };
    const goals = journey.goals?.map((result) => ({ text: 'To get out more.', ...(result && { result }) }));
    const content = {
      ...(journey.needs && { needs: journey.needs }),
      ...(isLast && goals && { goals }),
    };
    const { says, letter, byHand = false } = journey;
    const later = {
      ...(journey.by && { by: journey.by }),
      ...(isLast && says && { says }),
      ...(isLast && letter !== undefined && { letter, byHand }),
    };
    return { row, history, patient, content, service: serviceId ?? null, ...later };
  });
}

function pair(code: string, start: number, end: number) {
  return [
    { code, stage: 'start', value: start },
    { code, stage: 'end', value: end },
  ];
}

function stepOf(word: string, sent: Date): Step {
  const [, name, days, reason] = /^([\w-]+)\+([\d.]+)(?::([\w-]+))?$/.exec(word)!;
  return {
    status: statuses[name!] ?? name!,
    at: new Date(sent.getTime() + Number(days) * dayMs),
    reason,
  };
}
