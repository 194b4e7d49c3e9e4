import { reasonCodes, referralCode } from '../../letter/codes.ts';
import type { Message } from '../channel.ts';

/**
 * What goes by a workflow that sender and receivers agree on: one JSON document, with the letter in it as PDF. Its names
 * are those of the API. docs/mesh.md describes it for receivers.
 */
export function buildLocalDocument(message: Message, siteUrl: string, letter: Buffer): string {
  const { id, purpose, createdAt, simulated, referral, codesOnly } = message;
  const [code, display] = referralCode(referral);
  return JSON.stringify({
    format: 'onward-referral',
    version: 1,
    message_id: id,
    purpose,
    created_at: createdAt.toISOString(),
    simulated,
    snomed_ct: { code, display },
    referral: codesOnly ? inCodes(message) : inWords(message, siteUrl),
    letter: { content_type: 'application/pdf', content: letter.toString('base64') },
  });
}

/** Who, and codes. Nothing that tells which service it was, or what anybody wrote. */
function inCodes({ referral }: Message) {
  const { reference, content, created_at } = referral;
  const { nhs_number, given_name, family_name, birth_date } = content.patient;
  return {
    reference,
    created_at: created_at.toISOString(),
    patient: { nhs_number, given_name, family_name, birth_date },
    reasons: reasonCodes(referral).map((code) => ({ code })),
  };
}

function inWords({ leg, purpose, referral }: Message, siteUrl: string) {
  const { id, reference, service, status, status_reason, urgency, created_at, gp_practice, outcome } =
    referral;
  const { safety_notes, ...content } = referral.content;
  const ended = leg === 'service' && purpose === 'outcome';
  return {
    reference,
    created_at: created_at.toISOString(),
    urgency,
    status,
    status_reason,
    outcome,
    service: { name: service.name, organization_name: service.organization_name },
    gp_practice,
    // A service that is told of an end need know no more than whose referral it was.
    ...(ended ? { patient: content.patient } : content),
    // For the staff who will meet the person, and who answer.
    ...(leg === 'service' && { href: `${siteUrl}/referrals/${id}` }),
    ...(leg === 'service' && !ended && { safety_notes }),
  };
}
