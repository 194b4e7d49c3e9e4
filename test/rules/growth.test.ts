import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { DB } from '../../src/platform/database/tables.ts';
import { jobHandlers } from '../../src/worker.ts';
import { anAccount, aReferral, aService, aTokenHolder } from '../app/builders.ts';
import { addJobToQueue, takeJobs } from '../app/jobs.ts';
import { makeApp, type TestApp } from '../app/make-app.ts';
import { countRows, namesOfTables } from '../database/stored.ts';

// No table keeps growing unless it must: each is listed here with what keeps it small.

let site: TestApp;
let accountId: string;
let referralId: string;
let webhookId: string;
beforeAll(async () => {
  site = await makeApp();
  ({ id: accountId } = await anAccount(site.deps));
  const { serviceId } = await aService(site.deps);
  const { headers } = await aTokenHolder(site.deps);
  const post = (url: string, payload: object) => site.app.inject({ method: 'POST', url, headers, payload });
  referralId = (await post('/api/referrals', aReferral(serviceId))).json().id;
  webhookId = (await post('/api/webhooks', { url: 'https://a.example/', event_types: ['*'] })).json().id;
});
afterAll(() => site.close());

const bytes = () => Buffer.from(randomUUID());

/** The tables that the hourly job clears. Each function makes a row that was used, ended or expired at a moment. */
const expiring: Readonly<Partial<Record<keyof DB, (at: Date) => RawBuilder<unknown>>>> = {
  sessions: (at) => sql`
    insert into sessions (secret_hash, account_id, created_at, authenticated_at, last_seen_at, expires_at)
    values (${bytes()}, ${accountId}, ${at}, ${at}, ${at}, ${at})`,
  sign_in_steps: (at) => sql`insert into sign_in_steps values (${bytes()}, ${accountId}, 5, ${at})`,
  passkey_challenges: (at) => sql`
    insert into passkey_challenges values (${randomUUID()}, 'sign in', null, ${at})`,
  oidc_flows: (at) => sql`insert into oidc_flows values (${bytes()}, '', null, '', ${at})`,
  unsent_forms: (at) => sql`insert into unsent_forms values (${randomUUID()}, ${accountId}, '', ${at})`,
  account_links: (at) => sql`
    insert into account_links values (${accountId}, ${at < site.clock.now() ? 'reset' : 'invitation'}, ${bytes()}, ${at}, ${at})`,
  throttles: (at) => sql`insert into throttles values (${bytes()}, ${at}, 1, ${at}, ${at})`,
  number_attempts: (at) =>
    sql`insert into number_attempts values (${bytes()}, ${bytes()}, ${accountId}, ${at})`,
  access_tokens: (at) => sql`
    insert into access_tokens values (${bytes()}, ${accountId}, 1, 'refresh', ${at}, ${at})`,
  idempotency_keys: (at) => sql`
    insert into idempotency_keys values (${accountId}, ${randomUUID()}, '', ${referralId}, '{}', ${at})`,
  looks: (at) => sql`
    insert into looks (id, at, day, account_id, kind, found)
    values (${randomUUID()}, ${tenMonthsBefore(at)}, ${tenMonthsBefore(at)}, ${accountId}, 'search', 0)`,
  looks_in_lists: (at) => sql`
    insert into looks_in_lists (id, day, first_at, last_at, kind, account_id, referral_ids)
    values (${randomUUID()}, ${tenMonthsBefore(at)}, ${tenMonthsBefore(at)}, ${tenMonthsBefore(at)}, 'list', ${accountId}, '{}')`,
  unusual_access: (at) => sql`
    insert into unusual_access (id, noticed_at, day, account_id, reason, count)
    values (${randomUUID()}, ${tenMonthsBefore(at)}, ${at}, ${accountId}, 'own-name', 1)`,
  mails: (at) => sql`
    insert into mails (id, status, recipient_hash, created_at, finished_at)
    values (${randomUUID()}, 'sent', '', ${at}, ${at})`,
  events: (at) => sql`
    insert into events (id, type, version, resource_type, resource_id, path, created_at)
    values (${randomUUID()}, 'service.changed', 1, 'service', 'x', '/', ${at})`,
  webhook_messages: (at) => messageWith(sql`select`, at),
  webhook_attempts: (at) =>
    messageWith(
      sql`insert into webhook_attempts (webhook_id, message_number, at, outcome, detail)
        select webhook_id, number, queued_at, 'failed', '' from message`,
      at,
    ),
  mesh_messages: (at) => sql`
    insert into mesh_messages values (${randomUUID()}, 'REPORT', '', '{}', '', ${at}, ${at}, true)`,
  mesh_messages_left: (at) => sql`insert into mesh_messages_left values (${randomUUID()}, ${at})`,
  unmatched_items: (at) => sql`
    insert into unmatched_items (id, kind, subject, what, opened_at, closed_at)
    values (${randomUUID()}, 'given-up-job', ${randomUUID()}, '', ${at}, ${new Date(at.getTime() - 300 * 86_400_000)})`,
  person_page_visits: (at) => sql`
    with page as (
      insert into person_pages (id, referral_id, address, secret_hash, sent_at, sent_by_name, ended_at)
      values (${randomUUID()}, ${referralId}, '', ${bytes()}, ${at}, '', ${at}) returning id)
    insert into person_page_visits select ${bytes()}, id, ${at} from page`,
  record_requests: (at) => requestAnswered(sql`select`, new Date(at.getTime() - 1045 * 86_400_000)),
  record_request_notes: (at) =>
    requestAnswered(
      sql`insert into record_request_notes (id, request_id, at, by_name, text)
        select id, id, received_at, '', '' from request`,
      new Date(at.getTime() - 1045 * 86_400_000),
    ),
  answer_link_visits: (at) => sql`
    with link as (
      insert into answer_links (id, referral_id, address, secret_hash, created_at)
      values (${randomUUID()}, ${referralId}, ${randomUUID()}, ${bytes()}, ${at}) returning id)
    insert into answer_link_visits (token_hash, link_id, code_address, by_name, by_role, ends_at)
    select ${bytes()}, id, '', '', '', ${at} from link`,
  account_claims: (at) => sql`
    insert into account_claims (id, organization_id, organization_name, name, role, email, link_address, had_code, made_at)
    values (${randomUUID()}, ${randomUUID()}, '', '', '', '', '', false, ${at})`,
  developer_requests: (at) => sql`
    insert into developer_requests (id, account_id, kind, address, reason, made_at)
    values (${randomUUID()}, ${accountId}, 'return-address', 'https://a.example/', '', ${at})`,
  self_referrals: (at) => sql`
    insert into self_referrals (id, service_id, received_at, ring_by, details, mentions_crisis, state, settled_at)
    values (${randomUUID()}, 'a', ${at}, ${at}::date, '{}', false, 'closed', ${at})`,
  unmet_searches: (at) => sql`
    insert into unmet_searches values (${new Date(at.getTime() - 650 * 86_400_000)}::date, 'a', 'ZT1', 1)`,
  troubles: (at) => sql`
    insert into troubles (id, account_id, kind, calls, created_at, ends_at)
    values (${randomUUID()}, ${accountId}, 'slow', 1, ${at}, ${at})`,
  record_copies: (at) => copyPacked(sql`select`, new Date(at.getTime() - 1045 * 86_400_000)),
  record_copy_referrals: (at) =>
    copyPacked(
      sql`insert into record_copy_referrals (copy_id, referral_id, position, record)
        select id, ${referralId}, 0, '{}' from copy`,
      new Date(at.getTime() - 1045 * 86_400_000),
    ),
  record_copy_marks: (at) =>
    copyPacked(
      sql`insert into record_copy_marks (id, copy_id, kind, place_in_words, ground, reason, at, by_name)
        select id, id, 'black_out', '', 'other', '', packed_at, '' from copy`,
      new Date(at.getTime() - 1045 * 86_400_000),
    ),
  library_import_chunks: (at) => sql`
    with import as (
      insert into library_imports (id, name, is_feed, source_name, is_complete, dry_run, state, account_id, started_by,
        created_at)
      values (${randomUUID()}, '', false, '', false, true, 'done', ${accountId}, '', ${at}) returning id)
    insert into library_import_chunks select id, 1, '' from import`,
  services_before_imports: (at) => sql`
    insert into services_before_imports values (${randomUUID()}, 'x', null, '', ${at})`,
};

function tenMonthsBefore(at: Date): Date {
  return new Date(at.getTime() - 300 * 86_400_000);
}

function requestAnswered(further: RawBuilder<unknown>, at: Date): RawBuilder<unknown> {
  return sql`
    with request as (
      insert into record_requests
        (id, reference, kind, name, contact, words, received_at, due_on, answered_at, answered_by_name, answer)
      values (${randomUUID()}, ${randomUUID()}, 'copy', '', '', '', ${at}, ${at}, ${at}, '', '') returning *)
    ${further}`;
}

function copyPacked(further: RawBuilder<unknown>, at: Date): RawBuilder<unknown> {
  return sql`
    with copy as (
      insert into record_copies
        (id, reference, packed_at, packed_by, packed_by_name, reason, purpose, readers)
      values (${randomUUID()}, ${randomUUID()}, ${at}, ${accountId}, '', '', 'person', '{}') returning *)
    ${further}`;
}

function messageWith(further: RawBuilder<unknown>, at: Date): RawBuilder<unknown> {
  return sql`
    with message as (
      insert into webhook_messages (webhook_id, event_id, type, body, queued_at, due_at)
      values (${webhookId}, ${randomUUID()}, 'service.changed', '', ${at}, ${at}) returning *)
    ${further}`;
}

/** What docs/operating.md calls the data that is deleted, with its tables. */
const inThePaper: Readonly<Record<string, readonly (keyof DB)[]>> = {
  sessions: ['sessions'],
  'unfinished sign-ins, and links in emails (invitation, new password)': [
    'sign_in_steps',
    'passkey_challenges',
    'oidc_flows',
    'account_links',
  ],
  'forms that needed a new sign-in first': ['unsent_forms'],
  'counts of sign-in attempts': ['throttles'],
  'attempts with an NHS number and other details, as keyed hashes': ['number_attempts'],
  'access tokens': ['access_tokens'],
  'idempotency keys': ['idempotency_keys'],
  'access records, and the unusual ones to review': ['looks', 'looks_in_lists', 'unusual_access'],
  emails: ['mails'],
  'events, and what webhooks were sent': ['events', 'webhook_messages', 'webhook_attempts'],
  'messages from the NHS exchange': ['mesh_messages', 'mesh_messages_left'],
  'unmatched items': ['unmatched_items'],
  'files of imports that nobody ran after the preview': ['library_import_chunks'],
  'services as they were before an import': ['services_before_imports'],
  'visits of people to a page about their referral': ['person_page_visits'],
  'requests about records': ['record_requests', 'record_request_notes'],
  'packed copies of records': ['record_copies', 'record_copy_referrals', 'record_copy_marks'],
  'self-referrals: what people sent': ['self_referrals'],
  'counts of searches in the directory that found too little': ['unmet_searches'],
  'visits of services that answer by link': ['answer_link_visits'],
  'requests for accounts by staff of services': ['account_claims'],
  'requests of developers': ['developer_requests'],
  'simulated failures that developers asked for': ['troubles'],
};

/** The tables that no job clears, by the reason. */
const kept: Readonly<Record<string, readonly string[]>> = {
  'is the audit, which forgets nothing': ['audit_entries', 'audit_links'],
  'is a queue that is emptied within seconds': ['audit_unsealed', 'new_events'],
  'is the record, which is erased when retention ends, or with what it belongs to': [
    ...[
      'referrals',
      'referral_history',
      'report_facts',
      'referral_messages',
      'referral_changes',
      'referral_deaths',
      'referral_death_warnings',
      'referral_dangers',
      'watches',
      'open_questions',
      'pending_notifications',
      'notification_digests',
      'referral_prompts',
      'referral_owners',
      'referral_assignments',
      'referral_notes',
      'referral_reminders',
      'referral_attachments',
      'referral_readings',
    ],
    ...['referral_openings', 'referral_restrictions', 'referral_holds', 'retention_decisions'],
    ...['deliveries', 'delivery_attempts', 'worklist', 'answer_links'],
    ...['person_pages', 'person_answers', 'worrying_answers', 'end_measures_due', 'letters_to_renew'],
    ...['captured_messages', 'captured_files', 'simulated_referrals', 'simulated_steps'],
  ],
  'has a limited number of rows for each account': [
    ...[
      'accounts',
      'account_leaves',
      'notification_choices',
      'saved_views',
      'organisations',
      'authenticators',
      'recovery_codes',
      'passkeys',
      'identities',
    ],
    ...['offline_copies', 'refresh_tokens', 'key_networks', 'key_calls', 'deprecated_uses', 'webhooks'],
  ],
  'goes with the unmatched item that was read': ['unmatched_reads'],
  'has what people were called before, as long as their account': ['account_former_details'],
  'is the library, with its history': [
    ...['services', 'organizations', 'service_at_locations', 'service_places', 'service_hours'],
    ...[
      'service_taxonomy_terms',
      'service_area_extents',
      'service_capacity',
      'service_documents',
      'service_offers',
    ],
    ...['service_referral_settings', 'service_responsiveness', 'taxonomies', 'taxonomy_terms'],
    ...[
      'library_changes',
      'library_imports',
      'library_sources',
      'library_handled_records',
      'library_changing',
    ],
    ...['library_version', 'search_words', 'service_touches', 'search_synonyms', 'postcodes', 'practices'],
    ...['practice_words', 'delivery_addresses', 'service_lists', 'service_list_entries'],
    ...['pending_delivery_addresses', 'delivery_address_history'],
  ],
  'is what people set up, and a few facts': [
    'return_addresses',
    'scheduled_feeds',
    'localhost_return',
    'site_facts',
    'site_texts',
    'site_look',
    'site_contacts',
    'connection_troubles',
    'check_first',
    'report_progress',
    'self_referral_desk',
    'questionnaire_desks',
    'postcode_deciles',
  ],
  'is what was published, about two hundred rows a month and some for each service': [
    'report_months',
    'report_figures',
  ],
  'has a row for each day on which referrals were sent, and for each month': [
    'report_days',
    'report_month_counts',
  ],
  'has a row for each job of the schedule': ['job_turns'],
  'has a row for each kind of prompt or watch, from migrations': ['referral_prompt_kinds', 'watch_kinds'],
  'has a row for each cause of a refusal, from migrations': ['refusal_causes'],
  'belongs to the migrator': ['onward_migrations', 'onward_migrations_lock'],
};

const deleteExpired = () => (jobHandlers(site.deps)['delete-expired'] as () => Promise<void>)();

describe('every table', () => {
  it('has a documented limit to its growth', async () => {
    const tables = await namesOfTables(site.deps.db);
    const known = [...Object.keys(expiring), ...Object.values(kept).flat()].sort();
    expect(tables).toEqual(known);
  });

  it('has a row in the paper for operators, if rows are deleted', () => {
    const paper = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'operating.md'), 'utf8');
    const section = paper.split('\n## ').find((each) => each.startsWith('Data growth\n'))!;
    const rows = [...section.matchAll(/^\| (.+?) \| /gm)].map(([, what]) => what!).slice(1);
    expect(rows).toEqual(Object.keys(inThePaper));
    expect(Object.values(inThePaper).flat().sort()).toEqual(Object.keys(expiring).sort());
  });
});

describe('the hourly job', () => {
  it.each(Object.keys(expiring) as (keyof DB)[])('forgets old rows of %s, and no others', async (table) => {
    const { db, clock } = site.deps;
    await deleteExpired();
    const before = await countRows(db, table);
    await expiring[table]!(new Date(clock.now().getTime() - 100 * 86_400_000)).execute(db);
    await expiring[table]!(new Date(clock.now().getTime() + 3_600_000)).execute(db);
    expect(await countRows(db, table)).toBe(before + 2);
    await deleteExpired();
    expect(await countRows(db, table)).toBe(before + 1);
  });

  it('forgets the rest though one table cannot be cleared', async () => {
    const { db } = site.deps;
    const before = await countRows(db, 'throttles');
    await expiring.throttles!(new Date(site.clock.now().getTime() - 100 * 86_400_000)).execute(db);
    // The first deletion fails, of sessions.
    const deleteFrom = vi.spyOn(db, 'deleteFrom').mockImplementationOnce(() => {
      throw new Error('the table is locked');
    });
    await expect(deleteExpired()).rejects.toThrow(/^not deleted: sessions$/);
    deleteFrom.mockRestore();
    expect(await countRows(db, 'throttles')).toBe(before);
  });

  it('forgets the queue of a webhook that has no job', async () => {
    const addJobTo = (queue: string) => addJobToQueue(site.deps.pool, 'call-webhook', queue);
    const idle = await addJobTo('webhook that was removed');
    await takeJobs(site.deps.pool);
    const busy = await addJobTo(`webhook ${webhookId}`);
    await deleteExpired();
    expect(await addJobTo(`webhook ${webhookId}`)).toBe(busy);
    expect(await addJobTo('webhook that was removed')).not.toBe(idle);
  });
});
