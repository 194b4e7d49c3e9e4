import { type Kysely, sql } from 'kysely';

// docs/schema.md shows these words with today's tables. A migration that makes a table or changes a meaning says it there.

const tables: Readonly<Record<string, string>> = {
  access_tokens: 'Access tokens, by the hash of each.',
  account_claims: 'What staff of services without an account ask for, on the page of a link.',
  account_former_details:
    'Names and email addresses that accounts had before: the audit names people as they were called then.',
  account_leaves: 'The present or next leave of somebody. Other people see who stands in, and never why.',
  account_links:
    'Links that open an account once, at most one of a purpose for each account: a newer one replaces it.',
  accounts: 'People who sign in.',
  alarming_answers: 'Referrals with an answer to a questionnaire that somebody has to look into.',
  answer_link_visits:
    'Browsers that opened an answer link with a code, until they sign out or the visit ends.',
  answer_links: 'The links by which services answer referrals without an account.',
  audit_entries: 'Who did what, and when. Never changed or deleted, not even by mistake.',
  audit_links: 'The signed chain over the entries.',
  audit_unsealed:
    'Entries that are not in the chain yet. Entries commit out of order, so a highest number would pass some over.',
  authenticators: 'Authenticator apps.',
  captured_files: 'The files of a captured message: channels send different ones, and sometimes several.',
  captured_messages: 'What a test site would have sent.',
  check_first:
    'One row while a restored site sends nothing, until an operator has confirmed what was sent before.',
  connection_troubles: 'Connections of the site that do not work, such as a mail server that refuses it.',
  deliveries: 'One message about a referral to one receiver. leg says which: the service or the GP practice.',
  delivery_address_history: 'Who changed which address, and when.',
  delivery_addresses: 'Where a service or practice is reached by a channel that needs an address.',
  delivery_attempts: 'Each try to send a delivery, and its outcome.',
  developer_requests: 'What developers asked the operator of a test site for, and the answer.',
  end_measures_due:
    'Referrals with a measure from the start, until one from the end is sent, and who was reminded of it.',
  events:
    'Events in the order in which they are read. One transaction at a time gives out positions, so a client that has read up to a position has missed nothing before it.',
  idempotency_keys:
    'Answers to requests with an Idempotency-Key, so that a repeated request makes no second referral.',
  identities:
    'Who somebody is at an OpenID provider: issuer and subject together. An email address can pass to another person.',
  job_turns: 'When each job of the schedule last ran.',
  key_calls: 'When and from where an account last called with one of its access tokens, to the minute.',
  key_networks: 'The networks from which a key was used.',
  library_changes: 'Every change of the library, a row for each field, as HSDS’s metadata has them.',
  library_changing:
    'The transactions that are changing the library. The number grows at their very end: if its row were locked earlier, an import and an edit could wait for each other.',
  library_handled_records: 'The services of a feed that an unfinished import has handled already.',
  library_import_chunks: 'The file of an import until it has been read.',
  library_imports: 'Imports that operators start on the page, and their results.',
  library_sources:
    'Where services come from: a feed, or a file that is read again now and then. A service without a source was made here.',
  library_version: 'One row: a number that grows with each transaction that changes the library.',
  localhost_return:
    'A row means that users of this test site may be sent to any address of their own computer.',
  looks:
    'That somebody searched for a person or opened a referral of other people. Hashes stand for the person who was searched for.',
  looks_in_lists:
    'Which referrals somebody saw in a list or took in a copy, or which were sent as a copy by email, a row a day.',
  looks_to_check: 'Unusual access: what of looks and looks_in_lists somebody has to review.',
  mails:
    'Emails of the site. Recipient, subject and text are sealed, because they hold links that open accounts.',
  mesh_messages: 'What came from the NHS message exchange (MESH), stored before the exchange may forget it.',
  new_events:
    'What happened, written in the transaction in which it happened. Soon afterwards it gets its position in events.',
  notification_choices: 'The news of referrals that an account is emailed about, and how often.',
  notification_digests: 'News that waits for the daily email of an account.',
  number_tries:
    'Details that somebody sent with an NHS number, as hashes, so that nobody finds a birth date by trying one after another.',
  offline_copies:
    'The copy of its open referrals that an organisation has each night, while it has chosen to.',
  oidc_flows:
    'Sign-ins at an OpenID provider that have begun. The keyed hashes do not let a reader of this table finish one.',
  organisations: 'Organisations whose people sign in.',
  organizations: 'Organisations of the library, as HSDS has them.',
  passkey_challenges: 'Challenges that a passkey has still to answer.',
  passkeys: 'Passkeys (WebAuthn credentials).',
  pending_delivery_addresses: 'New addresses that wait for their holder to open the confirmation link.',
  person_answers: 'What people said on their page: whether they got help, or want to stop.',
  person_page_visits: 'Browsers that opened a person’s page with a code.',
  person_pages: 'The pages on which people see how far their own referral is.',
  postcode_deciles: 'One row: when deciles of deprivation were imported last.',
  postcodes:
    'Postcodes and where they are. In byte order, so that those of a district or sector are next to each other in the index.',
  practice_letters: 'Letters to GP practices, as deliveries have them.',
  practice_words: 'The words of practices’ names and addresses, with which misspelt words are compared.',
  practices: 'GP practices.',
  questionnaire_desks:
    'Who looks into the alarming answers of an organisation, and which questionnaires its people are asked.',
  record_copies:
    'Copies of a person’s record, which are handed out only after a named person has reviewed them.',
  record_copy_marks: 'What is left out of a copy of a record, and why.',
  record_copy_referrals: 'The referrals in a copy of a record.',
  record_request_notes: 'What operators wrote down about a request about a record.',
  record_requests: 'What people ask about their record with the public form.',
  recovery_codes: 'Codes that stand in for a lost second factor, each once.',
  referral_assignments:
    'Every change of the owner of a referral. Only the organisation of the one who made it sees it.',
  referral_attachments: 'Files of a referral.',
  referral_changes:
    'What one side told the other of a change in the person’s life, until somebody there has confirmed that they read it.',
  referral_death_warnings:
    'Referrals of somebody who is said to have died by a report about another referral.',
  referral_deaths:
    'That a person is said to have died, a row for each of their referrals, and who confirmed it or took it back.',
  referral_history: 'Every change of a referral’s status.',
  referral_holds: 'Legal holds: nothing erases the record until one is lifted.',
  referral_messages: 'The conversation about a referral.',
  referral_news: 'News of a referral that people are told of by email, until they were.',
  referral_notes: 'Private notes of one side.',
  referral_openings: 'When an operator opened clinical details: who, why, and until when.',
  referral_owners: 'Who looks after a referral on each side.',
  referral_prompts:
    'Asks somebody, or the operators, to act on a referral that has lost something, or on what a person said.',
  referral_readings: 'The last message, and the last version of the referral, that an account has read.',
  referral_reminders: 'When somebody wants to be reminded of a referral.',
  referral_restrictions: 'Each restriction of a record: who asked for it and why, and who lifted it and why.',
  referrals: 'One person referred to one service.',
  refresh_tokens: 'The refresh token of each account.',
  report_days: 'What is counted of the referrals that were sent on a day.',
  report_facts: 'What reports count of each referral, one narrow row.',
  report_figures: 'The figures of a month, as they were published.',
  report_month_counts: 'The counts of report_days, added up for each month.',
  report_months: 'The months whose figures were published, which stay as they are.',
  report_progress: 'One row: how far reports have read the referrals.',
  retention_decisions: 'What a named person decided about a record that was due for erasure.',
  return_addresses: 'Where /apilogin may send tokens to.',
  saved_views: 'The lists of referrals that people gave a name, with their tab, filters and order.',
  scheduled_feeds: 'Feeds that the site imports by itself.',
  search_synonyms: 'What people say, and what services call it. A site may edit these.',
  search_words: 'Words that the library uses. A misspelt or unfinished word is compared with them.',
  self_referral_desk: 'One row: who answers people who refer themselves.',
  self_referrals: 'What people sent who refer themselves.',
  service_area_extents: 'The areas that a service covers.',
  service_at_locations: 'A service at one of its locations. The service itself comes from service_documents.',
  service_capacity: 'Whether a service accepts referrals now.',
  service_documents:
    'The whole HSDS answer as JSON text. In a table of its own, so that lists read rows of a few hundred bytes.',
  service_hours: 'Opening hours that are not the same every week.',
  service_list_entries: 'The services of a list, in the order in which they were saved.',
  service_lists: 'Lists of services that an organisation keeps for all its accounts.',
  service_offers:
    'What people ask for before they choose a service, as far as its entry says it for certain.',
  service_places:
    'What filters read: one row for each location of a service, and one with the number 0 for a service without any.',
  service_referral_settings:
    'Only where it differs from the rule that a service accepts referrals in its worklist on this site.',
  service_responsiveness:
    'How quickly services answer, worked out from referrals now and then. Null where it would reveal single people.',
  service_taxonomy_terms: 'Which service carries which term.',
  service_touches:
    'Deleted services, and services whose capacity or settings changed. An update of services itself could deadlock with imports and edits.',
  services:
    'The columns that services are listed, ranked and checked by. The whole answer is in service_documents.',
  services_before_imports: 'Services as they were before an import, so that it can be undone for a month.',
  sessions: 'Browsers that are signed in.',
  sign_in_steps: 'People who have given the right password and must still give a second factor.',
  simulated_referrals:
    'Referrals that a test site answers in place of services and practices. Always empty on a live site.',
  simulated_steps: 'What the simulator does next for a referral.',
  site_facts: 'What a site knows about itself, such as its mode, its id and which site key made it.',
  site_look: 'One row: the site’s logo and colour.',
  site_texts: 'The site’s own texts of the pages in the footer.',
  taxonomies: 'Taxonomies of the library, as HSDS has them.',
  taxonomy_terms: 'Terms of taxonomies.',
  throttles:
    'How many attempts were made lately, under keyed hashes of who made them and from where. No address is stored.',
  troubles: 'Simulated failures that a developer asked a test site for.',
  unmatched_items: 'Unmatched messages and failed jobs that an operator must look at.',
  unmet_searches:
    'How often people looked for a need in the public directory and found next to nothing. It has no words and nobody’s address.',
  unseen_news:
    'Urgent referrals, messages and changes that nobody of one side has seen yet. Somebody who sees one deletes its row.',
  webhook_attempts: 'Each try to post a message, and its outcome.',
  webhook_messages: 'One event for one webhook.',
  webhooks: 'Addresses that clients want events posted to.',
  worklist: 'Undelivered messages: a delivery has a row from its first trouble on, open or closed.',
};

const columns: Readonly<Record<string, string>> = {
  'access_tokens.key_epoch': 'The key epoch of its account.',
  'access_tokens.key_id':
    'The named key that it came from; null for the first pair. No foreign key: every refresh would lock the key.',
  'access_tokens.pair_epoch': 'The epoch of its pair of keys.',
  'account_claims.had_code': 'Whether somebody had opened the link with a code.',
  'account_claims.link_address': 'The address that got the link.',
  'account_claims.name': 'Who asks, in their own words.',
  'account_claims.organization_id': 'The organisation of the library whose service got the link.',
  'accounts.key_epoch':
    'Raised to end all access tokens of the account: a token is valid only in the epoch it was made in.',
  'accounts.owner_id': 'The person who looks after a system and its keys; null while nobody does.',
  'alarming_answers.at': 'The newest answer that nobody has looked into.',
  'answer_link_visits.by_name': 'Who entered it, in their own words.',
  'answer_link_visits.code_address': 'The mailbox that got the code: another one closes what it opened.',
  'answer_link_visits.token_hash':
    'A keyed hash of the cookie of the browser that entered a code. One browser may have opened several links.',
  'answer_links.address': 'The email address that has the link.',
  'answer_links.before_end': 'The status before somebody ended the referral by the link, to open it again.',
  'answer_links.checked_at': 'When the referrer said that the ending is right.',
  'answer_links.code_hash': 'The last code, as a keyed hash, until it is used or was guessed at too often.',
  'answer_links.codes_sent': 'How many codes were sent since codes_since.',
  'answer_links.ended_at': 'When somebody ended the referral by the link.',
  'answer_links.paused_until': 'No code is accepted before this, after too many wrong ones.',
  'answer_links.pauses': 'How many pauses in a row wrong codes have led to; each is longer.',
  'answer_links.secret_hash': 'A keyed hash: a copied database opens nothing.',
  'audit_entries.code': 'An HMAC over the entry.',
  'audit_entries.number': 'Its number among the entries of that process.',
  'audit_entries.writer':
    'The process that wrote the entry; null in older ones (docs/decisions/0013-the-audit.md).',
  'authenticators.confirmed_at':
    'Null until the holder has given a first code. Until then it is not asked for.',
  'authenticators.last_counter':
    'The 30 seconds whose code was used last. Codes of these or earlier ones are refused.',
  'authenticators.sealed': 'Under the site key.',
  'check_first.backup_made_at': 'When the backup was made that the site was restored from.',
  'connection_troubles.ended_at': 'Null while the trouble lasts.',
  'connection_troubles.kind':
    'refuses: it does not accept this site. away: it does not answer, or is in trouble itself.',
  'connection_troubles.told_at': 'When the operators were last told by email.',
  'deliveries.attempts_before_restart':
    'Attempts up to this one no longer count, because an operator asked for a new start.',
  'deliveries.chosen_channel': 'The one channel that an operator chose in place of the receiver’s own.',
  'deliveries.external_id': 'What the system that carries the message calls it.',
  'deliveries.follow_up_at':
    'When to check whether the receiver has answered; null where no answer is awaited.',
  'deliveries.held_by':
    'What holds the delivery, such as a mail server that refuses the site; null where nothing does.',
  'deliveries.message_id':
    'The same in every attempt, so that a receiver can tell a repetition from a second message.',
  'deliveries.referral_version':
    'The version of the referral that made the delivery necessary. Each change tells each receiver at most once.',
  'delivery_address_history.sealed': 'The old and the new address as JSON, sealed under the site key.',
  'delivery_addresses.secret': 'Sealed under the site key.',
  'developer_requests.address': 'The return address that is asked for.',
  'developer_requests.granted_account_id': 'The account that was made.',
  'developer_requests.name': 'The name of the account that is asked for.',
  'developer_requests.organization_id':
    'An organisation of the library; null means the organisation of the person who asks.',
  'end_measures_due.started_at': 'When something was first measured for the start.',
  'events.referral_id': 'Null for an event that everybody who may read the library may see.',
  'events.referrer_account_id':
    'Copied from the referral, so that an index alone finds the events that an account may see.',
  'key_calls.key_id': 'Null for the first pair.',
  'key_networks.network': 'An IPv4 address, or the /64 of an IPv6 address.',
  'library_changes.account_id': 'Who made the change, if an account did. Not published.',
  'library_changes.source_id': 'Where the change was taken from, if from a source. Not published.',
  'library_imports.left_out': 'What the import left out, grouped for its page.',
  'library_imports.left_out_csv': 'The same as CSV, in full.',
  'library_imports.name': 'The name of the file, or the address of the feed.',
  'library_imports.problems': 'What was wrong, of imports from before left_out was stored.',
  'library_imports.stopped_by': 'Who wants a running import stopped.',
  'library_sources.changed_since':
    'The feed was imported with all changes up to this time; null before its first complete import, and while all of it is read again.',
  'library_sources.name': 'A feed’s address, or the name of a file.',
  'library_sources.position': 'How far an interrupted import got.',
  'localhost_return.allowed': 'Always true: the table has one row, or none.',
  'looks.day': 'In UK time.',
  'looks.found': 'How many referrals a search found.',
  'looks.number_key': 'A keyed hash of the NHS number that was looked for, found or not.',
  'looks.own': 'The person has the last name, or the email address, of the account’s holder.',
  'looks.postcode_key': 'A keyed hash of the postcode that was looked for, found or not.',
  'looks.referral_id': 'The referral that was opened.',
  'looks.surname_key': 'A keyed hash of the last name that was looked for, found or not.',
  'looks_in_lists.account_id': 'Who saw the list or took the copy; null for a copy that was sent.',
  'looks_in_lists.day': 'In UK time.',
  'looks_in_lists.organisation_id': 'The organisation whose copy was sent.',
  'looks_in_lists.sent_to': 'Where a copy was sent.',
  'mails.reason': 'Why it failed, in words for the operator. It names no address.',
  'mails.recipient_hash':
    'A keyed hash of the address, by which people find what a test site would have sent to them.',
  'mails.sealed': 'Recipient, subject and text. Removed once the email is sent or given up.',
  'mesh_messages.length': 'Only the beginning of a long message that was not understood is kept.',
  'new_events.path': 'Where the API shows the resource, such as /api/referrals/{id}.',
  'number_tries.details_key': 'A keyed hash of the names and the birth date that were sent with it.',
  'number_tries.number_key': 'A keyed hash of the NHS number.',
  'offline_copies.email': 'Where the copy is sent as well.',
  'offline_copies.passphrase': 'Sealed with the site key. The copy is encrypted with it.',
  'oidc_flows.sealed': 'Nonce, code verifier and purpose, sealed under the site key.',
  'organisations.agreement_warned_of':
    'The end that operators were last warned of: a new end is warned of again.',
  'organisations.dspt_warned_of': 'The end that operators were last warned of: a new end is warned of again.',
  'organisations.library_organization_id':
    'Which organization of the library it is. Names change there and occur twice, so its id alone says so.',
  'pending_delivery_addresses.link_hash': 'A hash of the link that confirms the address.',
  'pending_delivery_addresses.secret': 'The secret of the system at the address, sealed under the site key.',
  'person_page_visits.token_hash': 'A keyed hash of the cookie of the browser that entered a code.',
  'person_pages.address':
    'The address at which it is safe to reach the person. The link and each code go there.',
  'person_pages.code_hash': 'The last code, as a keyed hash, until it is used or was guessed at too often.',
  'person_pages.codes_sent': 'How many codes were sent since codes_since.',
  'person_pages.end_reason': 'Why it ended.',
  'person_pages.opened_at': 'When somebody first opened it with a code.',
  'person_pages.paused_until': 'No code is accepted before this, after too many wrong ones.',
  'person_pages.pauses': 'How many pauses in a row wrong codes have led to; each is longer.',
  'person_pages.secret_hash': 'A keyed hash: a copied database opens nothing.',
  'postcode_deciles.only_one': 'Always true: the table has one row.',
  'postcodes.imd_decile':
    '1 is the most deprived tenth of the country, by the Index of Multiple Deprivation of that year.',
  'practices.search':
    'Words of the name have weight A, all others B, so that one index finds both and tells them apart.',
  'questionnaire_desks.asks': 'The questionnaires that people are asked on their own page.',
  'questionnaire_desks.is_on':
    'Whether an operator switched it on. Nobody is asked all the same while the owner or the deputy cannot sign in.',
  'questionnaire_desks.told_closed_at':
    'When operators were told that nobody is asked any more; null while people are.',
  'record_copies.emptied_at':
    'When what was packed was deleted. Who decided what, and why, is kept for longer.',
  'record_copies.opt_out': 'What was decided about the national data opt-out.',
  'record_copies.opt_out_because': 'Why that was decided.',
  'record_copies.patient_name_key':
    'Whom it is about, as a keyed hash: it finds what came after it was packed.',
  'record_copies.readers':
    'The operators who have looked at it: each reader is reported to the referrers once.',
  'record_copy_marks.place':
    'The part that is left out, such as 0/messages/2; null for words that are covered everywhere.',
  'record_copy_marks.words': 'What is blacked out; deleted with what was packed.',
  'record_copy_referrals.record': 'The record as it was when it was packed.',
  'record_requests.acknowledge_on': 'Only complaints are acknowledged before the answer.',
  'record_requests.contact': 'How to reach the person safely, in their own words.',
  'referral_assignments.owner_name': 'The new owner; null where nobody looks after it any more.',
  'referral_changes.raised_urgency': 'Whether the referral became urgent with it.',
  'referral_death_warnings.report_id':
    'What was told before the referral was made, about another referral of the person.',
  'referral_death_warnings.side': 'The service where it was told too; otherwise the operators.',
  'referral_deaths.prompts_before':
    'The prompts that the confirmed death deleted, as JSON, to bring them back if it is undone.',
  'referral_deaths.reason_before': 'The reason of the status before.',
  'referral_deaths.report_id': 'The same for all referrals of the person that were open when it was told.',
  'referral_deaths.status_before': 'The status before somebody confirmed the death for this referral.',
  'referral_deaths.told_by': 'Who told the reporter of the death, in words. Null where it must not be known.',
  'referral_news.actor_id': 'Who did it, and need not be told.',
  'referral_notes.organisation_id':
    'Who may read it; null for an author without an organisation, who alone may.',
  'referral_prompts.due_on': 'By when somebody must have acted, for what a person said.',
  'referral_prompts.kind': 'What the referral has lost, or what the person said.',
  'referral_prompts.owner_id': 'The person who has to act; null for the operators.',
  'referral_prompts.side': 'The side that has to act.',
  'referral_prompts.told_at': 'When its owner was last told by email.',
  'referral_readings.last_version':
    'The version of the referral that the account read last. Null for somebody who last looked before it was recorded.',
  'referral_reminders.told_at': 'When the account was reminded; null before that.',
  'referrals.content':
    'Everything clinical or personal, as the API gives it: patient, referrer, reasons, consent and so on.',
  'referrals.erased_at': 'From then on only the reference, the service, the status and the dates are left.',
  'referrals.expected_date': 'When a person on the waiting list may expect a place.',
  'referrals.next_date':
    'By when the service acts next, once it has accepted. Past it, the referral is overdue.',
  'referrals.next_date_reminders': 'How often the service was reminded of this next date.',
  'referrals.next_reminder_on': 'When the service is reminded of it again.',
  'referrals.patient_family_key': 'A keyed hash of the last name and birth date.',
  'referrals.patient_name_key':
    'A keyed hash of the names and birth date, by which a second referral of the same person is noticed.',
  'referrals.patient_number_key': 'A keyed hash of the NHS number.',
  'referrals.rejection_at': 'When the site rejects it, as the service was warned.',
  'referrals.requested_at': 'Null while it is a draft. It stays null if the draft is never sent.',
  'referrals.reroutes': 'The declined referral that this one replaces.',
  'referrals.restricted_at': 'While the record is restricted, nobody works with it.',
  'referrals.seen_at': 'When somebody of the service first read it.',
  'referrals.seen_by_link': 'Whether the first who saw it had the link in a message.',
  'referrals.service_organization_id':
    'The library’s organisation that answers for the service; null where the library names none.',
  'refresh_tokens.epoch':
    'Raised to end the access tokens of this pair alone, as accounts.key_epoch ends those of all pairs.',
  'refresh_tokens.idle_days': 'After how many days without use it stops working; null means never.',
  'refresh_tokens.name':
    'Null for the first pair, which the keys page shows. It may do whatever the account may.',
  'refresh_tokens.networks':
    'The networks it may be used from, as platform/ip-addresses writes them; empty means anywhere.',
  'refresh_tokens.previous_hash': 'The token before, while it still works beside the new one.',
  'refresh_tokens.sealed': 'For the keys page, which shows the token again. Sealed under the site key.',
  'report_days.counts': 'The counts of these referrals, by name. Null while they have to be counted again.',
  'report_days.day': 'A day in London on which referrals were sent.',
  'report_days.people': 'The people, by their numbers in report_facts.',
  'report_facts.answer_minutes':
    'Minutes from sending to the first answer, or else to the end. Null while neither has happened.',
  'report_facts.answered_at':
    'When somebody of the service first answered. Null where nobody did, also if the site declined in their place.',
  'report_facts.changes': 'By how much each measure changed from start to end, by its code.',
  'report_facts.contact_minutes':
    'Minutes from sending to the first contact, or else to the end. Null while neither has happened.',
  'report_facts.district': 'The first half of the postcode.',
  'report_facts.fields': 'Which of the fields that clients may leave out the referral has.',
  'report_facts.imd_decile': 'The decile of the postcode when the referral was first read. It stays.',
  'report_facts.journey_completed':
    'Whether a referral that replaced the first one of the journey was completed.',
  'report_facts.journey_goals_met': 'Whether a goal was met or partly met in any referral of the journey.',
  'report_facts.journey_id': 'The first referral of the journey.',
  'report_facts.journey_person_helped':
    'Whether the person said last that they got help, in any referral of the journey.',
  'report_facts.journey_status': 'The status of the last referral of the journey.',
  'report_facts.left_low': 'Whether the person left the low band, by measure, where they began in it.',
  'report_facts.letters': 'How many letters GP practices were told by, or are to be.',
  'report_facts.letters_by_hand': 'How many of these letters an operator had to look after.',
  'report_facts.letters_in_1_day': 'How many of these letters were sent within a day.',
  'report_facts.letters_in_5_days': 'How many of these letters were sent within five days.',
  'report_facts.letters_read_until': 'The last change of a letter that was read.',
  'report_facts.person':
    'The first 8 bytes of the keyed hash of the person’s name and birth date, as a number. Null once the referral is erased.',
  'report_facts.person_helped': 'Whether the person said last that they got help. Null if they said nothing.',
  'report_facts.referred_again': 'Whether the same person was referred again within 30 days after the end.',
  'report_facts.row_version':
    'xmin of the row in referrals that was read, so that a change of it is noticed; 0 means that it has to be read again.',
  'report_facts.sent_on': 'The day in London on which the referral was sent.',
  'report_facts.start_minutes':
    'Minutes from acceptance to the start, or else to the end. Null while neither has happened.',
  'report_figures.n': 'Rounded; null where the count is 1 to 7, or would reveal one that is.',
  'report_figures.stratum': 'The part of the people that the figure is of, such as an age band.',
  'report_month_counts.counts':
    'The counts of its days, added up. Null while they have to be added up again.',
  'report_month_counts.month': 'The first day of a month in London in which referrals were sent.',
  'report_progress.only_one': 'Always true: the table has one row.',
  'report_progress.read_until': 'Referrals that changed before this moment are in report_facts.',
  'return_addresses.address':
    'Origin and path, compared byte for byte, so no collation may make two of them alike.',
  'saved_views.query':
    'The address of the list after its question mark, such as view=received&tab=unanswered.',
  'scheduled_feeds.address_sealed': 'The whole address, which may hold a key.',
  'scheduled_feeds.name': 'The name of the source: the address without anything secret.',
  'search_synonyms.changed_in': 'The transaction that changed the row last, for the words of each process.',
  'search_words.changed_in': 'The transaction that added it, for the words of each process.',
  'self_referral_desk.is_open':
    'Whether an operator opened it. It is closed all the same while nobody answers.',
  'self_referral_desk.only_row': 'Always true: the table has one row.',
  'self_referral_desk.told_closed_at':
    'When the owner, the deputy and operators were told that it closed by itself; null while it is open.',
  'self_referral_desk.weekdays': 'The days of the week on which the owner works; 0 is Monday.',
  'self_referrals.called_at': 'When the person was first called; until then they wait.',
  'self_referrals.id': 'Made with the form, so that a form that is sent twice makes one.',
  'self_referrals.referral_id': 'The draft that was made of it, which may have been sent since.',
  'self_referrals.said': 'Who the person is, how to reach them, and what they wrote.',
  'self_referrals.told_late_at':
    'When the owner and the deputy were told that nobody has called the person in time.',
  'service_area_extents.extent': 'In degrees, longitude first; null if only the name of the area is known.',
  'service_at_locations.id': 'Not unique: a feed may give one id to two of them.',
  'service_at_locations.number': 'Its position in the service’s list.',
  'service_capacity.set_by': 'The account that set it; null where the service’s source did.',
  'service_capacity.waiting_time': 'In words, such as “about six weeks”.',
  'service_hours.during': 'As in services.week; empty where no weekday is given.',
  'service_hours.every':
    'The hours apply when the number of weeks or months since 1970, divided by every, leaves remainder. A null remainder is unknown.',
  'service_hours.month_day': 'The day of the month; counted from the end if it is negative.',
  'service_hours.nth': 'Which of that weekday in the month; counted from the end if it is negative.',
  'service_hours.number': 'The number of the location in the service’s list; 0 for the whole service.',
  'service_hours.opens':
    'Minutes of the day, past 1440 where it closes on the next one; null where no time is given.',
  'service_hours.weekday': '0 is Monday.',
  'service_offers.area_codes':
    'The postcodes that the words of its areas name, each by its first letters and digits.',
  'service_offers.features': 'free, step-free, hearing-loop, self-referral.',
  'service_offers.is_whole_area': 'Whether area_codes are all that it covers.',
  'service_offers.languages': 'Languages besides English, by their names.',
  'service_offers.ways': 'How the service meets people: in-person, home, phone, online.',
  'service_places.alone': 'Whether the service has no other row here.',
  'service_touches.changed_in': 'The transaction that changed it last, for the search index of each process.',
  'services.assured_on': 'The day the service was last checked.',
  'services.changed_in': 'The transaction that changed the row last, for the search index of each process.',
  'services.edited_at':
    'When somebody here last created or edited the service; null if an import changed it later.',
  'services.organization_id': 'No foreign key: a feed may name an organisation that it does not describe.',
  'services.source_hash':
    'What the source said last, as a hash. While it says the same, edits made here stay. Null: it is gone from its source.',
  'services.week':
    'Minutes of the week, from Monday 00:00, in which the service is open every week. Other hours are in service_hours.',
  'services_before_imports.document': 'The whole service as JSON; null where the import made it.',
  'services_before_imports.hash_after':
    'The hash of the service as the import left it. If it differs later, somebody has changed the service since.',
  'services_before_imports.import_id':
    'No reference: an import from the command line is listed only once it has ended.',
  'sessions.id': 'What pages call the session by: the hash of its secret is not for pages.',
  'sessions.through_provider':
    'Whether the person signed in through the OpenID provider, which asks for its own second factors.',
  'simulated_referrals.moved_ms':
    'Milliseconds by which people have moved this referral’s time forward, in total.',
  'simulated_steps.delivery_id': 'The delivery that the step reports on; null for what the service does.',
  'simulated_steps.undone_because': 'Why the step was skipped; null if it was not.',
  'site_look.single': 'Always true: the table has one row.',
  'taxonomies.changed_in': 'The transaction that changed the row last, for the search index of each process.',
  'taxonomy_terms.changed_in':
    'The transaction that changed the row last, for the search index of each process.',
  'throttles.blocked_until': 'No further attempt is accepted before this.',
  'throttles.since': 'Attempts are counted for a day from here.',
  'throttles.trusted_until': 'Until when the site remembers that the account’s holder signed in from here.',
  'troubles.number': 'The order in which they were added and are played.',
  'troubles.operation_id': 'Null means any operation.',
  'troubles.seconds': 'For Retry-After, or for how long an answer is held back.',
  'unmatched_items.subject': 'The id of the message or job.',
  'unmet_searches.district': 'The first half of a postcode.',
  'unmet_searches.month': 'The first day of the month.',
  'unmet_searches.term_id': 'A taxonomy term, which may be gone.',
  'unseen_news.at': 'When it was new; null for what is from before this was recorded.',
  'unseen_news.author_id': 'Somebody on both sides does not see their own news for the other side.',
  'unseen_news.due_at': 'When the next step is due; null once the operators were told.',
  'unseen_news.id': 'The id of the referral, message or change.',
  'unseen_news.next_step': 'Who is told next: the owner, the deputy or the operators.',
  'unseen_news.side': 'The side that has not seen it.',
  'unseen_news.told': 'The accounts that were told.',
  'webhook_attempts.captured':
    'On a test site: the address and headers that the message would have gone with.',
  'webhook_messages.body': 'The text that is signed and sent, the same in every attempt.',
  'webhooks.off_at': 'Null while it is on.',
  'webhooks.secret': 'Sealed under the site key. After a change the one before it also signs for a while.',
  'worklist.closing_words': 'What the person who delivered it by hand says about it.',
};

/** Says what each table is for, and what columns mean whose names do not tell. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, words] of Object.entries(tables))
    await sql`comment on ${sql.raw(table === 'practice_letters' ? 'view' : 'table')} ${sql.table(table)} is ${sql.lit(words)}`.execute(
      db,
    );
  for (const [column, words] of Object.entries(columns))
    await sql`comment on column ${sql.ref(column)} is ${sql.lit(words)}`.execute(db);
}
