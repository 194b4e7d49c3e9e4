import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { dayMs } from '../../src/platform/durations.ts';
import { aReferral, aService, aTokenHolder } from '../app/builders.ts';
import type { TestApp } from '../app/make-app.ts';

/**
 * Journeys are written in a line each: `accepted+2 started+9 completed+30` was accepted two days after it was sent. Every referral is due
 * ten days after it was sent. `rejected+2:no-capacity > +3 accepted+1` was declined, and replaced three days after it was sent. What did
 * nobody answer is empty.
 */
export type Journey = {
  sent: string;
  line: string;
  birthDate?: string;
  gender?: string;
  serviceId?: string;
  /** Points by which SWEMWBS changed, from 20 at the start. */
  change?: number;
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
        jsonb_build_object('patient', template.content -> 'patient' || (given -> 'patient')),
        'service_id', coalesce(given ->> 'service', template.service_id))) as row
    where template.id = ${template}`.execute(site.deps.db);
  await sql`
    insert into referral_history (referral_id, version, at, actor_id, actor_name, from_status, to_status)
    select (given -> 'row' ->> 'id')::uuid, line.version, line.at, r.referrer_account_id, 'Somebody', line.from_status, line.to_status
    from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) as given
      cross join lateral jsonb_to_recordset(given -> 'history') as line(version int, at timestamptz, from_status text, to_status text)
      join referrals r on r.id = (given -> 'row' ->> 'id')::uuid`.execute(site.deps.db);
  await sql`delete from referrals where id = ${template}`.execute(site.deps.db);
  return rows.filter(({ row }) => row.reroutes === null).map(({ row }) => row.id);
}

function rowsOf({ sent, line, birthDate, gender, serviceId, change }: Journey, now: Date) {
  const key = randomUUID().replaceAll('-', '');
  let before: string | null = null;
  return line.split('>').map((part, index) => {
    const words = part.trim().split(/\s+/).filter(Boolean);
    const delay = index === 0 ? 0 : Number(words.shift());
    const at = new Date(Date.parse(`${sent}T12:00:00Z`) + delay * dayMs);
    const steps = words.map((word) => stepOf(word, at));
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
      due_at: new Date(at.getTime() + dueDays * dayMs),
      next_date: null,
      updated_at: now,
      version_at: last?.at ?? at,
      patient_name_key: `\\x${key}`,
      patient_number_key: null,
      outcome:
        last?.status === 'completed'
          ? {
              code: 'supported',
              text: 'Fine.',
              ...(change !== undefined && {
                measures: [
                  { code: 'swemwbs', stage: 'start', value: 20 },
                  { code: 'swemwbs', stage: 'end', value: 20 + change },
                ],
              }),
            }
          : null,
    };
    const history = [{ status: 'requested', at }, ...steps].map(({ status, at }, version, all) => ({
      version: version + 1,
      at,
      from_status: all[version - 1]?.status ?? null,
      to_status: status,
    }));
    before = id;
    const patient = { ...(birthDate && { birth_date: birthDate }), ...(gender && { gender }) };
    return { row, history, patient, service: serviceId ?? null };
  });
}

function stepOf(word: string, sent: Date): Step {
  const [, name, days, reason] = /^([\w-]+)\+([\d.]+)(?::([\w-]+))?$/.exec(word)!;
  return {
    status: statuses[name!] ?? name!,
    at: new Date(sent.getTime() + Number(days) * dayMs),
    reason,
  };
}
