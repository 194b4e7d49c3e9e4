import { beginAttempt, listOperators } from '../../accounts/index.ts';
import { anonymousActor, recordAudit } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { dayInWords } from '../../platform/html/index.ts';
import { newId } from '../../platform/ids/index.ts';
import { type MailToPeople, mailAddressIn, mailPeople } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { newReference } from '../../referrals/index.ts';
import { dueDates, type RequestKind } from './request.ts';
import { insertRequest } from './requests-store.ts';

export type NewRecordRequest = { kind: RequestKind; name: string; contact: string; words: string };

/**
 * Stores a request about a record, and emails the operators and the data protection officer. It does not check whether the site knows the
 * person, so its answer cannot reveal that. @returns the id.
 * @throws Problem `too-many-attempts`.
 */
export async function makeRequest(
  deps: Platform,
  { ipAddress, ...request }: NewRecordRequest & { ipAddress: string },
): Promise<string> {
  // Each request stores a text and sends emails, so a script must not send many.
  await beginAttempt(deps, { kind: 'record-request', identifier: request.contact, ipAddress });
  const at = deps.clock.now();
  const id = newId(at.getTime());
  const dates = dueDates(deps.settings, request.kind, at);
  await inTransaction(deps.db, async (trx) => {
    await insertRequest(trx, { id, reference: newReference(), ...request, ...dates, receivedAt: at });
    await recordAudit(trx, {
      at,
      actor: anonymousActor(ipAddress),
      action: 'record_request.made',
      subject: { type: 'record_request', id },
      details: { kind: request.kind },
    });
    const operators = await listOperators(trx);
    const officer = mailAddressIn(deps.settings.dataProtectionOfficer);
    const recipients = [...operators.map(({ email }) => email), ...(officer === undefined ? [] : [officer])];
    await mailPeople(trx, deps, 'record', composeEmail(deps.settings, [...new Set(recipients)], id, dates));
  });
  return id;
}

function composeEmail(
  { siteName, baseUrl }: Platform['settings'],
  to: readonly string[],
  id: string,
  { dueOn, acknowledgeOn }: ReturnType<typeof dueDates>,
): MailToPeople {
  const paragraphs = [
    `Somebody has sent a request about their record, with the form on ${siteName}.`,
    ...(acknowledgeOn ? [`Acknowledge it by ${dayInWords(acknowledgeOn)}.`] : []),
    `Answer it by ${dayInWords(dueOn)}.`,
    `Operators can read it here:\n\n${baseUrl}/operator/requests/${id}`,
  ];
  return { to, subject: 'A request about a record', paragraphs };
}
