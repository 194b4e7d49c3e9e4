import { compact } from '../platform/html/index.ts';
import type { DraftInput } from './new-referral-schema.ts';
import type { Draft, Referral } from './referral.ts';

/** What a client system would send to make this referral or draft. */
export function draftInputOf(referral: Referral | Draft): DraftInput {
  const { content, gp_practice: practice, service_id, urgency, reroutes } = referral;
  const { referrer, ...written } = content as Draft['content'];
  return {
    ...written,
    urgency,
    ...compact({
      service_id: service_id ?? undefined,
      reroutes: reroutes ?? undefined,
      gp_practice: practice ? { ods_code: practice.ods_code } : undefined,
      referrer: compact({ on_behalf_of: referrer.on_behalf_of }),
    }),
  } as DraftInput;
}
