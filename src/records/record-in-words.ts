import { type ReferralStatus, statusWords } from '../referrals/index.ts';
import type { PatientRecord } from './export-record.ts';

/** A record as people read it, with the place of each file in the zip. */
export function inWords(record: PatientRecord) {
  const referrals = record.referrals.map((each) => ({
    ...each,
    status: wordsOf(each.referral.status).text,
    history: each.history.map((line) => ({ ...line, happened: wordsOf(line.to).happened })),
    audit: each.audit.map((entry) => ({ ...entry, did: entry.action.replaceAll(/[._]/g, ' ') })),
    attachments: each.attachments.map((file, place) => ({
      ...file,
      referralId: each.referral.id,
      path: `files/${each.referral.reference}/${place + 1}-${file.name.replaceAll(/[^\p{L}\p{N}. -]/gu, '_')}`,
    })),
  }));
  return { record, referrals, files: referrals.flatMap(({ attachments }) => attachments) };
}

function wordsOf(status: string) {
  return statusWords[status as ReferralStatus];
}
