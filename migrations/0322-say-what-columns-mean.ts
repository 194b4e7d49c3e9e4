import { type Kysely, sql } from 'kysely';

/** For docs/schema.md: tables whose description was untrue or too short, and columns whose name does not tell what they hold. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, words] of Object.entries(tables))
    await sql`comment on table ${sql.table(table)} is ${sql.lit(words)}`.execute(db);
  for (const [table, columns] of Object.entries(meanings))
    for (const [column, words] of Object.entries(columns))
      await sql`comment on column ${sql.ref(`${table}.${column}`)} is ${sql.lit(words)}`.execute(db);
}

const tables: Readonly<Record<string, string>> = {
  library_imports:
    'Imports that operators started on the page, or the schedule of a feed, and their results.',
  organisations:
    'Organisations whose people sign in here. An organization of the library, which runs services, is in organizations; library_organization_id joins the two.',
  organizations:
    'Organisations of the library, which run services, as HSDS has them and with its spelling. Organisations with accounts are in organisations.',
  referral_changes:
    'What one side told the other of a change in the person’s life, and who there confirmed that they read it.',
  referral_openings:
    'When somebody who may not act on a referral opened its clinical details: who, why, and until when.',
  referral_prompts:
    'Each asks somebody, or the operators, to act on a referral or a draft. Its kind says why.',
  unseen_news_kinds: 'The kinds of what is watched in unseen_news. A migration adds a row for a new kind.',
  worklist:
    'Undelivered messages, which operators work through: a delivery has a row from its first failure on, open or closed. The worklist of referrals has no table.',
};

const meanings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  access_tokens: {
    hash: 'A keyed hash of the token.',
    source: 'Where it was given out: the page of the keys, a refresh, or /apilogin.',
  },
  account_former_details: { until: 'When the account stopped having it.' },
  accounts: {
    api_access: 'Whether it may have keys to the API.',
    is_system: 'A client system, which nobody signs in as.',
  },
  answer_links: {
    code_until: 'Until when the last code is accepted.',
    code_tries: 'How often the last code was guessed at.',
    codes_since: 'When the first of the codes was sent that codes_sent counts.',
  },
  audit_entries: {
    actor_name: 'As it was then.',
    outcome: 'Whether it was done, or refused.',
    details: 'What else to know of it, such as the ids of the referrals of a list.',
  },
  audit_links: { hash: 'Of the entry and of the link before it, so that a changed entry breaks the chain.' },
  captured_messages: { letter: 'What the letter says.', recipient: 'Where it would have gone.' },
  deliveries: {
    purpose: 'What the message is for, such as the referral, its outcome or the removal of a letter.',
    recipient_code: 'The ODS code of the practice.',
    detail: 'Why its status is as it is, such as what a receiver said.',
    attempts_started: 'How many attempts to send it have begun.',
    hides_online: 'Whether the letter asks the practice to hide it from the person’s online record.',
  },
  library_imports: {
    dry_run: 'A preview: it counts what would change, and changes nothing.',
    undo_state: 'How far its undoing is; null if nobody undid it.',
    is_scheduled: 'Started by the schedule of the feed and by nobody.',
  },
  looks_to_check: {
    count: 'How many such searches or openings there were.',
    key_names: 'The named keys with which the account did it.',
    note: 'What the reviewer found.',
  },
  mesh_messages: {
    workflow: 'MESH’s id of what kind of message it is.',
  },
  open_questions: { message_id: 'The message that asks.' },
  organisations: {
    sharing_role: 'Its role in data protection law: controller, joint controller or processor.',
    ico_number: 'Its number in the register of the Information Commissioner’s Office.',
    dspt_status: 'How its last Data Security and Protection Toolkit ended.',
    dspt_until: 'The last day of that status.',
    agreement: 'The name or reference of its data sharing agreement.',
    mailbox:
      'Where its offline copies may be sent, besides the addresses of its people: one address, or @ and a domain that belongs to it alone.',
  },
  passkeys: {
    sign_count: 'How often the passkey says that it was used. A lower number than before tells of a copy.',
  },
  person_pages: {
    code_until: 'Until when the last code is accepted.',
    code_tries: 'How often the last code was guessed at.',
    codes_since: 'When the first of the codes was sent that codes_sent counts.',
  },
  practices: {
    closed_on: 'From this day on nothing is sent to it.',
    list_size: 'How many people are registered with it; null if nobody said.',
  },
  record_copy_marks: { ground: 'The reason in law to leave it out.' },
  referral_attachments: {
    scanned: 'Whether a virus scanner found nothing in it.',
    pages: 'How many pages a PDF has.',
  },
  referral_history: {
    details: 'What it changed beside the status: each field, before and after.',
    version: 'The version of the referral that it made.',
  },
  referral_messages: { asks_to_ring: 'Whether it asks the other side to ring back.' },
  referral_readings: {
    last_message_id: 'The newest message that the account has read.',
    last_attachment_id: 'The newest file that it has seen.',
  },
  referrals: {
    urgency: 'urgent or routine.',
    reference: 'What people call it by telephone and in letters; it says nothing about the person.',
    seen_by_name: 'Who of the service first read it.',
  },
  refresh_tokens: {
    hash: 'A keyed hash of the refresh token that works now.',
    previous_until: 'Until when the tokens before the last refresh work as well.',
    previous_used_at: 'When the refresh token before the last was used again: somebody may have copied it.',
  },
  report_progress: {
    basis: 'A hash of what the counts of all days rest on. If it changes, they are counted again.',
  },
  retention_decisions: { keep_until: 'Nobody is asked again before this.' },
  self_referrals: {
    answer_by: 'The last day on which a link worker should ring.',
    calls: 'Each try to ring the person.',
    state: 'Whether it waits, somebody took it, a draft was made of it, or it is closed.',
  },
  service_referral_settings: {
    accepts: 'Whether it takes referrals at all.',
    channels: 'How referrals reach it, in the order in which they are tried.',
    answered_by: 'Who answers the service’s referrals, in words.',
    sensitive: 'Somebody may be hurt for using it, or ashamed that others know.',
    sensitive_since: 'When it was last marked as sensitive. Who was referred before was not told so.',
    sensitive_until: 'When it stopped being sensitive. Referrals from before stay as hidden as they were.',
    location_confidential: 'Nobody may tell where it is, such as a refuge.',
    location_confidential_until:
      'When its place stopped being confidential; older referrals stay as they were.',
    record_kind:
      'How long its referrals are kept by the Records Management Code: as general records, or as those of mental health.',
    retention_years: 'How long they are kept instead; null for the years of their kind.',
    answer_by_link: 'Whether its emails have a link by which it can answer without an account.',
    self_referral:
      'Whether people may refer themselves to it, where the site allows that. Never to a sensitive service.',
  },
  services: {
    search: 'The words by which it is found.',
    sort_name: 'Its name as lists are sorted by it.',
  },
  sign_in_steps: { tries_left: 'How many more codes may be entered.' },
  troubles: {
    calls: 'How many calls of the account fail.',
    played: 'How many of them have failed already.',
  },
  webhooks: {
    off_reason: 'Why it was switched off; null while it is on.',
    previous_secret:
      'Messages are signed with it as well until previous_secret_until, so that the receiver can change over.',
    failures: 'How many attempts in a row have failed.',
    paused_until: 'Nothing is posted to it before this.',
  },
  worklist: {
    opened_at: 'When the delivery failed for the first time, or for the first time since the row was closed.',
    closed_as: 'How it was settled; null while it is open.',
  },
};
