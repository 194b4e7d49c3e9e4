import type { AuditAction } from '../../audit/index.ts';
import { dayInWords, momentInWords } from '../../platform/html/index.ts';
import {
  agreementInWords,
  becauseTestSite,
  changesInWords,
  codedFieldsInWords,
  explanationOf,
  type FieldChange,
  happenedInWords,
  isOnlyCaptured,
  measures,
  outcomeWords,
  type ReferralStatus,
  reasonWords,
  riskInWords,
  safeContactInWords,
  saidByInWords,
  statusInWords,
} from '../../referrals/index.ts';
import type { PatientRecord } from './collect-record.ts';

type OneReferral = PatientRecord['referrals'][number];

/** A record as people read it, without codes, and with the path of each file in the zip, or the address that `hrefOf` gives. */
export function recordInWords(record: PatientRecord, hrefOf?: (file: { id: string }) => string) {
  const referrals = record.referrals.map((each) => ({
    ...each,
    ...contentInWords(each.referral),
    status: statusInWords(each.referral.status as ReferralStatus, each.referral.status_reason).text,
    history: each.history.map((line) => ({
      ...line,
      happened: happenedInWords(line),
      changed: changesInWords((line.changes ?? []) as FieldChange[]),
    })),
    deliveries: each.deliveries.map((delivery) =>
      deliveryInWords(delivery, each.referral.simulated === true),
    ),
    person_pages: each.person_pages.map((page) => ({
      ...page,
      sentInWords: [
        `Sent to ${page.email ?? page.telephone} on ${momentInWords(page.sent_at)} by ${page.by?.name ?? 'somebody'}`,
        page.opened_at && `first opened on ${momentInWords(page.opened_at)}`,
        page.ended_at && `ended on ${momentInWords(page.ended_at)}`,
      ]
        .filter(Boolean)
        .join('; '),
    })),
    person_answers: each.person_answers.map((line) => ({
      ...line,
      saidInWords: `${momentInWords(line.at)}: ${answerWords[line.answer] ?? line.answer}`,
    })),
    // A copy that was packed by an earlier version has no self-referrals.
    self_referrals: (each.self_referrals ?? []).map((selfReferral) => ({
      ...selfReferral,
      sentInWords: selfReferralInWords(selfReferral),
    })),
    audit: each.audit.map((entry) => ({ ...entry, actionInWords: actionInWords(entry.action) })),
    attachments: each.attachments.map((file, index) => {
      const name = file.name.replaceAll(/[^\p{L}\p{N}. -]/gu, '_');
      const path = `files/${each.referral.reference}/${index + 1}-${name}`;
      const href = hrefOf?.(file) ?? path.split('/').map(encodeURIComponent).join('/');
      return { ...file, referralId: each.referral.id, path, href };
    }),
  }));
  return {
    record,
    referrals,
    files: referrals.flatMap(({ attachments }) => attachments.filter(isNotRemoved)),
  };
}

/** `removed` is missing in copies that were packed by an earlier version. */
const isNotRemoved = ({ removed }: { removed?: object | null }) => !removed;

/** What a person sent to refer themselves, and each call to them. */
function selfReferralInWords(sent: NonNullable<OneReferral['self_referrals']>[number]): string {
  const calls = sent.calls.map(
    ({ at, by, reached, note }) =>
      `${by.name} rang on ${momentInWords(at)} and ${reached ? 'spoke to you' : 'did not reach you'}${note && `: ${note}`}`,
  );
  return [
    `Sent on ${momentInWords(sent.sent_at)} as ${sent.given_name} ${sent.family_name}, ${sent.telephone}`,
    sent.only_at && `Safe to ring only at: ${sent.only_at}`,
    `You said that staff may ${sent.voicemail ? '' : 'not '}leave a message`,
    sent.postcode && `Postcode: ${sent.postcode}`,
    sent.about && `What you wrote: ${sent.about}`,
    ...calls,
  ]
    .filter(Boolean)
    .join('\n');
}

const urgencies: Readonly<Record<string, string>> = { routine: 'Routine', urgent: 'Urgent' };

function contentInWords(referral: OneReferral['referral']) {
  const { urgency, status_reason: reason, outcome } = referral;
  const { contact, agreement, consent, risk, risk_acted_on } = referral;
  const measured = (outcome?.measures ?? []).map(({ code, stage, value }) => ({
    title: `${measures[code].title}, at the ${stage}`,
    value,
  }));
  return {
    urgency: urgencies[urgency],
    reason: reason && { words: reasonWords[reason.code], text: explanationOf(reason) },
    result: outcome && { words: outcomeWords[outcome.code] ?? outcome.code, text: outcome.text, measured },
    coded: codedFieldsInWords(referral as Parameters<typeof codedFieldsInWords>[0]),
    safeContact: { text: safeContactInWords(contact ?? undefined) },
    agreement: agreement && agreementInWords(agreement as Parameters<typeof agreementInWords>[0], dayInWords),
    saidBy:
      consent?.said_by && saidByInWords(consent.said_by as Parameters<typeof saidByInWords>[0], dayInWords),
    // The texts are left out, because parts of them may be held back.
    risk: risk
      ? riskInWords({ risk, risk_acted_on } as Parameters<typeof riskInWords>[0], { day: dayInWords })
      : [],
  };
}

const channelWords: Readonly<Record<string, string>> = {
  inbox: 'on this site',
  email: 'by email',
  webhook: 'to their own computer system',
  document: 'by a letter to print or file',
  mesh: 'by NHS message exchange',
};
const deliveryStatusWords: Readonly<Record<string, string>> = {
  queued: 'waiting to be sent',
  sending: 'being sent',
  sent: 'sent',
  received: 'delivered',
  acknowledged: 'confirmed',
  uncertain: 'sent, but nobody knows whether it arrived',
  failed: 'not sent, because no channel worked',
  expired: 'sent, but not confirmed in time',
  suppressed: 'not sent',
};

const deliveryPurposeWords: Readonly<Record<OneReferral['deliveries'][number]['purpose'], string>> = {
  referral: 'of the referral',
  outcome: 'of how it ended',
  removal: 'that its letter was a mistake and has to be removed',
};

function deliveryInWords(delivery: OneReferral['deliveries'][number], simulated: boolean) {
  const { status, channel, attempts } = delivery;
  const how = channel && channelWords[channel];
  const mayHaveArrived = attempts.some(({ outcome }) => outcome !== 'failed' && outcome !== 'will-retry');
  const words =
    status === 'suppressed' && mayHaveArrived
      ? 'stopped, but it may have arrived,'
      : (deliveryStatusWords[status] ?? status);
  const isCaptured = isOnlyCaptured(status, channel, { simulated });
  const statusText = [isCaptured ? `would have been ${words}` : words, how].filter(Boolean).join(' ');
  return {
    ...delivery,
    became: isCaptured ? `${statusText}${becauseTestSite}` : statusText,
    about: deliveryPurposeWords[delivery.purpose],
  };
}

/** What the person answered on their page, in words to them. */
const answerWords: Readonly<Record<string, string>> = {
  'got-help': 'You said that you got help',
  'did-not-get-help': 'You said that you did not get help',
  'no-longer-wanted': 'You said that you no longer want this',
};

/** The actions that a person's own copy may list. */
type ListedAction = Extract<AuditAction, `referral.${string}` | `person_page.${string}`>;

/** What somebody did with a referral, after their name: “read it”. The person reads it, so it says “you”. */
const actionWords: Readonly<Record<ListedAction, string>> & Readonly<Record<string, string>> = {
  'person_page.answered': 'said something on your page',
  'person_page.code_refused': 'entered a wrong code for your page',
  'person_page.ended': 'ended the links to your page',
  'person_page.link_refused': 'opened a link to your page that does not work',
  'person_page.opened': 'opened your page with a code',
  'person_page.sent': 'sent you a link to your page',
  'delivery.confirmed': 'confirmed a message about it',
  'delivery.assigned': 'was asked to look after a message about it that did not arrive',
  'delivery.checked-after-restore': 'said what had become of a message about it',
  'delivery.done_by_hand':
    'told the receiver of a message about it directly, or noted that no letter is needed',
  'delivery.practice_asked': 'asked the referrer which GP practice a letter is for',
  'delivery.read': 'read a message about it',
  'delivery.refused': 'asked for a message about it, and was refused',
  'delivery.retried': 'tried to send a message about it again',
  'delivery.sent_another_way': 'sent a message about it another way',
  'referral.accepted': 'accepted it',
  'referral.agreement_changed': 'changed what you agreed to',
  'referral.appointment_booked': 'booked an appointment for you',
  'referral.appointment_cancelled': 'cancelled an appointment of yours',
  'referral.assigned': 'gave it to a colleague to look after',
  'referral.attachment_read': 'read a file',
  'referral.file_blocked': 'found a virus in a file, and removed it',
  'referral.file_removed': 'removed a file that was attached by mistake',
  'referral.attachments_listed': 'looked at the list of files',
  'referral.cancelled': 'cancelled it',
  'referral.case_copied': 'took a copy of its page as a PDF',
  'referral.change_confirmed': 'confirmed that they read what had changed',
  'referral.change_told': 'said what had changed for you',
  'referral.changed': 'changed the draft',
  'referral.changes_read': 'read what had changed for you',
  'referral.completed': 'completed it',
  'referral.contact_logged': 'noted a contact with you',
  'referral.corrected': 'corrected details',
  'referral.transferred': 'gave it to another service of the organisation',
  'referral.death_confirmed': 'confirmed that you had died',
  'referral.death_reported': 'said that you had died',
  'referral.death_undone': 'said that you were alive',
  'referral.deliveries_read': 'read its deliveries',
  'referral.draft': 'began it',
  'referral.end_measure_reminded': 'was reminded to ask how you are at the end',
  'referral.ended_by_death': 'ended it, because you were said to have died',
  'referral.entered-in-error': 'marked it as sent by mistake',
  'referral.erased': 'erased it',
  'referral.erasure_approved': 'approved that it is erased',
  'referral.erasure_put_off': 'put off erasing it',
  'referral.exported': 'gave out a copy of it',
  'referral.packed': 'packed a copy of it',
  'referral.failed': 'ended it without completing it',
  'referral.file_attached': 'added a file',
  'referral.file_refused': 'tried to add a file that has a virus',
  'referral.found': 'found it in a search',
  'referral.gp_action_done': 'said that what the GP practice was asked is done',
  'referral.held': 'put it on legal hold, so that it is not erased',
  'referral.hold-lifted': 'lifted the legal hold',
  'referral.in-progress': 'started to support you',
  'referral.leaflet_made': 'made a leaflet for you',
  'referral.letter_read': 'read a letter about it',
  'referral.listed': 'saw it in a list',
  'referral.list_downloaded': 'downloaded a list that has it',
  'referral.measured': 'added measures of how you are',
  'referral.message_read': 'read a message',
  'referral.message_sent': 'wrote a message',
  'referral.messages_read': 'read the messages',
  'referral.namesake_referred': 'made it for somebody with their own last name',
  'referral.next_date_reminded': 'reminded the service of it',
  'referral.news_read': 'ticked by a link that they read the news about it',
  'referral.note_added': 'wrote a private note',
  'referral.on-hold': 'put you on the waiting list',
  'referral.opened': 'opened what it says, with a reason',
  'referral.openings_read': 'looked at who had opened it',
  'referral.prompt_dismissed': 'dismissed a prompt to act on it',
  'referral.prompted': 'asked somebody to act on it',
  'referral.question_settled': 'said that a question about it needs no answer',
  'referral.read': 'read it',
  'referral.refused': 'asked for it, and was refused',
  'referral.decline_undone': 'opened it again, because declining it was a mistake',
  'referral.ending_confirmed': 'said that it was right to end it',
  'referral.ending_undone': 'opened it again, because ending it was a mistake',
  'referral.rejected': 'declined it',
  'referral.rejection_warned': 'warned the service that it had not answered',
  'referral.reminded': 'reminded the service to answer',
  'referral.reminder_removed': 'took a reminder away',
  'referral.reminder_set': 'set a reminder',
  'referral.requested': 'made it',
  'referral.restricted': 'restricted it',
  'referral.searched': 'searched for it',
  'referral.seen_to': 'said that you were helped another way',
  'referral.unrestricted': 'lifted the restriction',
  'referral.unseen_told': 'reminded staff of news that nobody had read',
};

function actionInWords(action: string): string {
  return Object.hasOwn(actionWords, action) ? actionWords[action]! : action.replaceAll(/[._-]/g, ' ');
}
