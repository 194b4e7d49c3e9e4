import { toCsv } from '../../platform/html/index.ts';
import type { CensoredEntry } from './restricted-entries.ts';

/** What somebody did, to follow their name: “Rashid Referrer accepted a referral”. */
const sentences: Readonly<Record<string, string>> = {
  'account.created': 'made an account',
  'account.email_changed': 'changed the email address of an account',
  'account.invitation_accepted': 'accepted an invitation',
  'account.invited': 'invited somebody',
  'account.organisation_changed': 'moved an account to another organisation',
  'account.password_changed': 'changed a password',
  'account.password_reset': 'chose a new password by an emailed link',
  'account.password_reset_requested': 'asked for a link to choose a new password',
  'account.renamed': 'renamed an account',
  'account.roles_changed': 'changed the roles of an account',
  'audit.opened': 'gave a reason to see what staff of restricted services did',
  'audit.read': 'searched the audit',
  'delivery.assigned': 'gave an undelivered message an owner',
  'delivery.done_by_hand': 'told a receiver directly, and marked a message as resolved',
  'delivery.read': 'viewed how a message stands',
  'delivery.retried': 'tried a message again',
  'delivery.sent_another_way': 'sent a message by another channel',
  'delivery_address.replaced': 'replaced an address that did not work',
  'key.created': 'made a key',
  'key.revoked': 'revoked a key',
  'library.imported': 'imported services',
  'organisation.facts_changed': 'changed what an organisation has agreed',
  'organisation.merged': 'merged two organisations',
  'organisation.renamed': 'renamed an organisation',
  'patient.exported': 'gave out a copy of a person’s records',
  'patient.searched': 'looked for a person',
  'practice.channels_changed': 'changed how a GP practice is told',
  'referral.accepted': 'accepted a referral',
  'referral.appointment_booked': 'booked an appointment',
  'referral.appointment_cancelled': 'cancelled an appointment',
  'referral.assigned': 'gave a referral to a colleague',
  'referral.attachment_read': 'opened a file of a referral',
  'referral.cancelled': 'withdrew a referral',
  'referral.completed': 'completed a referral',
  'referral.contact_logged': 'logged a contact with the person',
  'referral.corrected': 'corrected a referral',
  'referral.entered-in-error': 'withdrew a referral that was sent by mistake',
  'referral.erased': 'erased a referral',
  'referral.failed': 'closed a referral that was not completed',
  'referral.file_attached': 'added a file to a referral',
  'referral.in-progress': 'started work on a referral',
  'referral.letter_read': 'opened the letter of a referral',
  'referral.listed': 'viewed a list of referrals',
  'referral.list_downloaded': 'downloaded a list of referrals as CSV',
  'referral.message_sent': 'wrote a message about a referral',
  'referral.messages_read': 'read the messages about a referral',
  'referral.note_added': 'added a private note to a referral',
  'referral.on-hold': 'put a referral on the waiting list',
  'referral.opened': 'gave a reason to open a referral',
  'referral.read': 'read a referral',
  'referral.rejected': 'declined a referral',
  'referral.decline_undone': 'opened a referral again that was declined by mistake',
  'referral.requested': 'made a referral',
  'referral.restricted': 'restricted a referral',
  'referral.searched': 'searched referrals',
  'referral.seen_to': 'closed a referral: the person was helped another way',
  'report.opened': 'viewed a report',
  'service.checked': 'confirmed that a service is up to date',
  'service.created': 'added a service',
  'service.deleted': 'deleted a service',
  'service.edited': 'edited a service',
  'service.referral_settings_changed': 'changed how referrals reach a service',
  'session.ended': 'signed out',
  'session.started': 'signed in',
  'worklist.read': 'viewed undelivered messages',
};

/** The sentence for an action; undefined for one that has none. */
export function sentenceFor(action: string): string | undefined {
  return sentences[action];
}

const columns = [
  'time',
  'who',
  'role',
  'organisation',
  'action',
  'what',
  'outcome',
  'item',
  'item_id',
  'ip_address',
];

/** Entries as CSV, without their details, which may name a service. One that the reader may see only in part has no more here than on the page. */
export function auditCsv(entries: readonly CensoredEntry[]): string {
  return toCsv(
    columns,
    entries.map((entry) => [
      entry.isCensored ? entry.at.toISOString().slice(0, 10) : entry.at.toISOString(),
      entry.actorName,
      entry.actorRole ?? '',
      entry.organisation ?? '',
      entry.action,
      sentenceFor(entry.action) ?? '',
      entry.outcome,
      entry.subjectType ?? '',
      entry.subjectId ?? '',
      entry.address ?? '',
    ]),
  );
}
